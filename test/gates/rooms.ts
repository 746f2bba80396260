/**
 * The rooms of `src/`, from bottom to top. A file may import from its own room and from the rooms above it in this
 * table, types included; so there can be no cycle. The codemap in ARCHITECTURE.md is generated from this table.
 */
export interface Room {
  readonly folder: string
  /** Only these files of the folder, by their paths in it; its other files are another row. */
  readonly files?: RegExp
  readonly owns: string
  /** The parts of the machine that its files use. A list names the only files that may. */
  readonly touches?: Readonly<Partial<Record<Touch, true | readonly string[]>>>
  /** It imports rooms that touch the machine. Without this a room is pure, and so is everything that it imports. */
  readonly composes?: true
}

/**
 * `environment`: variables and platform. `terminal`: arguments, standard streams, exit code. `timers` fire later;
 * `clock` tells the time.
 */
export const TOUCHES = [
  'files',
  'process',
  'environment',
  'terminal',
  'clock',
  'timers',
  'chance',
  'network',
] as const
export type Touch = (typeof TOUCHES)[number]

export const ROOMS: readonly Room[] = [
  {
    folder: 'core',
    owns: 'the vocabulary (event, actor, hook, decision, errors) and the contracts of the families',
  },
  { folder: 'core/formats', owns: 'formats that several folders read and write' },
  { folder: 'core/redact', owns: 'masking of secrets' },
  { folder: 'core/state', owns: 'the state of a session: commits, and what they add up to' },
  { folder: 'core/plan', owns: 'layers of configuration become one plan' },
  { folder: 'core/match', owns: 'patterns, globs, regular expressions; which hooks an event concerns' },
  {
    folder: 'core/engine',
    owns: 'one event through its hooks to one decision',
    touches: { timers: ['run-hooks.ts'] },
  },
  { folder: 'shell', owns: 'a command line becomes what would run and its effects' },
  { folder: 'policy/analysis', owns: 'the shell command, paths and files of an event' },
  { folder: 'policy/completion', owns: 'what must be true before an agent may stop' },
  { folder: 'policy/metrics', owns: 'the schema of metrics: lines, figures, sums' },
  { folder: 'policy/handoff', owns: 'what the last message of an agent says about its handoff' },
  { folder: 'policy/mux', owns: 'what the MUX packs share: polling, paths, signal files' },
  { folder: 'policy/packs', owns: 'built-in guards: data and one pure function each' },
  { folder: 'storage/state', owns: 'session files and memory', touches: { files: true } },
  { folder: 'storage/sqlite', owns: 'opening SQLite files', touches: { process: true } },
  {
    folder: 'storage/journal',
    owns: 'the journal, its hash chain and its spool',
    touches: { files: true, chance: ['chain.ts'] },
    composes: true,
  },
  {
    folder: 'hosts',
    owns: 'one folder for each agent: decode, encode, what it can do, its configuration as text',
  },
  {
    folder: 'system',
    owns: 'the machine: home, project, files, trust, the installed copy, processes',
    touches: { files: true, process: true, environment: true, clock: true, chance: true, timers: true },
    composes: true,
  },
  {
    folder: 'system/modules',
    owns: 'the processes in which modules and packs of others run: one for each file that names them',
    touches: {
      files: true,
      process: true,
      network: ['child.ts', 'host/host.ts', 'host/watch.ts'],
      environment: ['child.ts', 'host/host.ts', 'host/watch.ts'],
      terminal: ['host/host.ts', 'host/watch.ts'],
      timers: true,
      clock: ['host/replies.ts'],
      chance: ['child.ts'],
    },
    composes: true,
  },
  {
    folder: 'handlers',
    files: /^(?:index|kind-of|own-call|[^/]+\/kind)\.ts$/,
    owns: 'what each way to run a hook says about itself: its time, its pins, its words, its keys',
  },
  {
    folder: 'handlers',
    owns: 'ways to run a hook: guard, rule, contract, command, module, http, callable',
    touches: {
      files: true,
      process: true,
      network: ['http/post.ts', 'command/warm-python/worker.ts'],
      timers: true,
      clock: ['guard/handler.ts', 'run-commands.ts'],
      environment: ['command/run.ts'],
    },
    composes: true,
  },
  { folder: 'config/sources', owns: 'formats configuration is written in' },
  {
    folder: 'config/bundle',
    owns: 'signed bundles of policy: their format, who signed, and the one in force',
    touches: { files: ['managed.ts', 'store.ts'], process: ['store.ts'] },
    composes: true,
  },
  {
    folder: 'config',
    owns: 'configuration files become a plan: places, imports, trust pins, waivers',
    touches: { files: ['imports.ts', 'installed-hooks.ts', 'read-layer.ts'] },
    composes: true,
  },
  {
    folder: 'app',
    owns: 'composition: a request of a host becomes its reply and a record',
    touches: {
      clock: [
        'journal-settings.ts',
        'load-plan.ts',
        'own-settings.ts',
        'record-id.ts',
        'rehearse.ts',
        'responder.ts',
      ],
      chance: ['record-id.ts'],
    },
    composes: true,
  },
  {
    folder: 'library',
    owns: 'createRuntime: the engine inside a program, hooks registered at run time',
    touches: { clock: ['evaluate-event.ts'], chance: ['evaluate-event.ts'] },
    composes: true,
  },
  {
    folder: 'adapters',
    owns: 'one folder for each SDK: its tools or hooks around the library',
    touches: { clock: true },
    composes: true,
  },
  {
    folder: 'adapters/massgen',
    owns: "MassGen's events, results, managers and built-in hooks",
    touches: {
      files: ['built-ins/file-inbox.ts'],
      process: true,
      clock: true,
      chance: ['built-ins/file-inbox.ts'],
    },
    composes: true,
  },
  {
    folder: 'adapters/mcp',
    owns: 'the gate in front of an MCP server',
    touches: {
      files: ['listen-secret.ts', 'pins.ts'],
      process: ['server-process.ts'],
      network: true,
      timers: true,
      clock: ['gate-engine.ts'],
      chance: ['listen-secret.ts'],
    },
    composes: true,
  },
  { folder: 'tools/lint', owns: 'what is wrong in a hook configuration, one check each' },
  { folder: 'tools/adopt', owns: 'moves hooks from the settings of an agent to Holdpoint, and back' },
  {
    folder: 'tools/mux',
    owns: 'sessions, signals and summaries of a MUX orchestration',
    touches: { files: true, process: ['agents.ts'] },
    composes: true,
  },
  {
    folder: 'tools/report',
    owns: 'journal and metrics become figures: terminal, CSV, Markdown, one page',
    touches: { files: ['read-metrics.ts'] },
    composes: true,
  },
  {
    folder: 'tools/explain',
    owns: 'a call that is only tried, and why it is decided as it is',
    touches: { clock: ['call.ts'] },
    composes: true,
  },
  {
    folder: 'tools/check',
    owns: 'many calls judged at once, on all processors',
    touches: { process: ['thread.ts', 'compilation.ts'], timers: ['judge-rows.ts'] },
    composes: true,
  },
  {
    folder: 'tools/status',
    owns: 'what is guarded here, by which files, and what is off',
    touches: { files: true },
    composes: true,
  },
  {
    folder: 'tools/history',
    owns: 'what agents did, read back: transcripts and records become events, decided without a disk',
    touches: { files: true },
    composes: true,
  },
  { folder: 'tools/policy-tests', owns: "a project's own cases, played on its plan", composes: true },
  {
    folder: 'tools/scan',
    owns: 'what a policy would have done with the transcripts of this machine',
    touches: { process: ['thread.ts', 'threads.ts'], clock: ['thread.ts'] },
    composes: true,
  },
  {
    folder: 'tools/replay',
    owns: 'recorded events decided again, and which verdicts change between two policies',
    touches: { files: ['checkpoint.ts', 'policy-alone.ts'], process: ['policy-alone.ts'] },
    composes: true,
  },
  {
    folder: 'tools/audit',
    owns: 'the calls that agents ran against the decisions in the journal',
    touches: { files: ['session-end.ts'] },
    composes: true,
  },
  {
    folder: 'tools/suggest',
    owns: 'what history suggests for a policy, with its evidence',
    composes: true,
  },
  {
    folder: 'tools/fleet-board',
    owns: 'a fleet in the browser: pages over its database, for reading',
    touches: { network: ['server.ts'] },
    composes: true,
  },
  {
    folder: 'tools/bundle',
    owns: 'a folder of policy becomes a signed bundle, and a bundle is published',
    touches: { files: true, process: ['check-policy.ts'] },
    composes: true,
  },
  {
    folder: 'tools',
    owns: 'pages, schemas and the plugin, generated from the code',
    touches: { files: ['plugin-files.ts'] },
    composes: true,
  },
  {
    folder: 'daemon',
    owns: 'the resident process: servers, threads, lifecycle; what the client speaks; questions that wait for a person',
    touches: {
      files: true,
      process: true,
      network: true,
      clock: true,
      timers: true,
      chance: ['approvals/ask-person.ts', 'http-ready.ts', 'http-settings.ts'],
    },
    composes: true,
  },
  {
    folder: 'daemon/fleet',
    owns: 'what the journal thread exchanges with a fleet: signed policy in, records out',
    touches: {
      files: ['http.ts', 'machine.ts', 'start.ts'],
      process: ['start.ts'],
      environment: ['start.ts'],
      network: true,
      timers: true,
      clock: ['start.ts'],
      chance: ['machine.ts', 'push-journal.ts', 'start.ts'],
    },
    composes: true,
  },
  {
    folder: 'tools/board',
    owns: 'the board: what its pages show, its web server, the live stream',
    touches: {
      files: ['assets.ts', 'peer.ts', 'spool-tail.ts', 'pages/orchestration.ts'],
      process: ['notify.ts', 'open-browser.ts', 'reader-thread.ts'],
      environment: ['reader-thread.ts'],
      network: ['server.ts', 'stream.ts', 'peer.ts'],
      clock: ['reader.ts'],
      timers: ['spool-tail.ts', 'stream.ts'],
      chance: ['tokens.ts'],
    },
    composes: true,
  },
  {
    folder: 'tools/board/web',
    owns: "the browser's part of the board: pages, drawn from what the server sends",
    touches: { network: ['server-calls.ts'], clock: true, timers: true },
  },
  {
    folder: 'adapters/client',
    owns: 'the client inside another program: asks the daemon, or the installed hook program',
    touches: {
      files: ['home-check.ts', 'run-installed.ts', 'plugins/loaded.ts'],
      process: true,
      environment: ['client.ts'],
      network: ['ask-resident.ts'],
      clock: ['client.ts', 'plugins/cline.ts', 'plugins/loaded.ts'],
      timers: true,
    },
    composes: true,
  },
  {
    folder: 'commands',
    owns: 'the command line: arguments, standard streams, exit codes',
    touches: {
      files: true,
      process: true,
      // A command gets its streams, its environment and its exit code from its caller. Others ask for the platform.
      environment: [
        ...['caller.ts', 'daemon-process.ts', 'hook.ts'],
        ...['demo.ts', 'fleet/board.ts', 'managed-hooks.ts', 'top/top.ts', 'ui.ts'],
      ],
      terminal: [
        ...['caller.ts', 'daemon-process.ts', 'hook.ts', 'input.ts'],
        ...['confirmed.ts', 'person.ts'],
      ],
      clock: true,
      timers: true,
      chance: true,
    },
    composes: true,
  },
]

/** Folders whose members look alike and are private to their folder; `index.ts` is the table of the members. */
export const FAMILIES = ['hosts', 'policy/packs', 'handlers', 'config/sources', 'storage/journal'] as const

/** Rooms that may read the table of a family. Everyone else gets the member as an argument. */
export const COMPOSERS: readonly string[] = ['app', 'config', 'library', 'adapters/mcp', 'tools', 'commands']
