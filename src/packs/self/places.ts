/** Files that decide whether and how an agent is guarded, by the end of their path. Data only. */
export interface Place {
  /** `*`: any one name. `**`: everything below. Lower case. */
  readonly names: readonly string[]
  /** Counts from the root of the disk, not from anywhere. */
  readonly rooted: boolean
  /** How many of the names a folder must have for its loss to count as the loss of the place. */
  readonly least: number
  /** Only its loss counts: scripts are written and tried like any other. */
  readonly loss?: boolean
}

export type Whose = 'agent' | 'own'

function place(path: string, least = 1): Place {
  const rooted = path.startsWith('/')
  return { names: path.replace(/^\//, '').split('/'), rooted, least: rooted ? 2 : least }
}

export const PLACES: Readonly<Record<Whose, readonly Place[]>> = {
  /** What agents read their hooks from, and what switches hooks off. */
  agent: [
    ...['settings.json', 'settings.local.json', 'managed-settings.json'].map((name) =>
      place(`.claude/${name}`),
    ),
    ...['installed_plugins.json', 'known_marketplaces.json', 'config.json'].map((name) =>
      place(`.claude/plugins/${name}`),
    ),
    ...['plugins/*/hooks/hooks.json', 'plugins/*/*/hooks/hooks.json', 'plugins/*/*/*/hooks/hooks.json'].map(
      (name) => place(`.claude/${name}`),
    ),
    place('.claude/plugins/*/*/*/*/hooks/hooks.json'),
    { ...place('.claude/hooks/**'), loss: true },
    place('.claude.json'),
    ...['hooks.json', 'config.toml', 'requirements.toml', 'managed_config.toml'].map((name) =>
      place(`.codex/${name}`),
    ),
    ...['settings.json', 'trusted_hooks.json', 'trustedfolders.json'].map((name) => place(`.gemini/${name}`)),
    place('.gemini/extensions/*/hooks/hooks.json'),
    ...['settings.json', 'trustedfolders.json'].map((name) => place(`.qwen/${name}`)),
    place('.cursor/hooks.json'),
    ...['hooks.json', 'settings.json', 'hooks/hooks.json'].map((name) => place(`.factory/${name}`)),
    ...['config.toml', 'hooks/**', 'requirements.toml'].map((name) => place(`.grok/${name}`)),
    ...['settings.json', 'hooks/**'].map((name) => place(`.copilot/${name}`)),
    place('.github/hooks/**', 2),
    ...['settings.json', 'settings.local.json'].map((name) => place(`.github/copilot/${name}`, 2)),
    ...['plugin/**', 'plugins/**', 'opencode.json', 'opencode.jsonc'].map((name) =>
      place(`.opencode/${name}`),
    ),
    ...['plugin/**', 'plugins/**', 'opencode.json', 'opencode.jsonc'].map((name) =>
      place(`.config/opencode/${name}`, 2),
    ),
    ...['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'cursor', 'github-copilot'].map((name) =>
      place(`/etc/${name}/**`),
    ),
    ...['claudecode', 'codex', 'cursor'].map((name) => place(`/library/application support/${name}/**`)),
  ],
  /** Holdpoint's own configuration, state, socket and program, wherever it was installed. */
  own: [
    ...['config.yaml', 'config.local.yaml', 'bin/**'].map((name) => place(`.holdpoint/${name}`)),
    place('.config/holdpoint/**', 2),
    place('node_modules/holdpoint/**', 2),
    place('node_modules/.bin/holdpoint', 3),
    ...['bin/holdpoint', 'bin/holdpoint-hook', 'bin/holdpoint-node'].map((name) => place(name, 2)),
    place('/etc/holdpoint/**'),
    place('/library/application support/holdpoint/**'),
  ],
}
