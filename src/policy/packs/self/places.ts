import { wordList } from '../../../core/word-list.ts'

/** Files that decide whether and how an agent is guarded, by the end of their path. Data only. */
export interface ProtectedFile {
  /** `*`: any single name. `*.x`: any with this end. `**`: everything below. Lower case. The first is a whole name. */
  readonly names: readonly string[]
  /** Matches only from the root of the disk. */
  readonly rooted: boolean
  /** How many of the names a folder must contain before deleting it counts as deleting the place. */
  readonly least: number
  /** Only deletion counts: scripts are written and tried like any other file. */
  readonly loss?: boolean
}

export type Whose = 'agent' | 'own'

function place(path: string, least = 1): ProtectedFile {
  const rooted = path.startsWith('/')
  return { names: path.replace(/^\//, '').split('/'), rooted, least: rooted ? 2 : least }
}

function places(paths: string, least?: number): readonly ProtectedFile[] {
  return wordList(paths).map((path) => place(path, least))
}

/** Plugins lie at several depths: by name, or by marketplace, name and version. */
function pluginParts(folder: string, files: readonly string[]): readonly ProtectedFile[] {
  const depths = ['*', '*/*', '*/*/*', '*/*/*/*']
  return files.flatMap((file) => depths.map((depth) => place(`${folder}/plugins/${depth}/${file}`)))
}

const AGENT_PROGRAMS = wordList(`
  claude codex gemini qwen copilot grok droid codebuddy kimi goose opencode kilo pi cursor-agent
`)

export const PROTECTED_FILES: Readonly<Record<Whose, readonly ProtectedFile[]>> = {
  /** Files that agents read their hooks from, and files that can disable hooks. */
  agent: [
    ...places(`
      .claude/settings.json .claude/settings.local.json .claude/managed-settings.json
      .claude/remote-settings.json .claude/policy-limits.json
      .claude/plugins/installed_plugins.json .claude/plugins/installed_plugins_v2.json
      .claude/plugins/known_marketplaces.json .claude/plugins/config.json
    `),
    ...pluginParts(
      '.claude',
      wordList('hooks/hooks.json .claude-plugin/plugin.json monitors/monitors.json .lsp.json'),
    ),
    // The host reads these before each of its commands, or starts what they say, and asks no hook.
    ...places(`
      .claude/shell-snapshots/** .claude/session-env/** .claude/jobs/** .claude/daemon/** .claude/daemon.json
      .codex/shell_snapshots/**
    `),
    { ...place('.claude/hooks/**'), loss: true },
    // The programs themselves: another one in their place starts the agent without its hooks.
    ...places('.claude/local/** .local/share/claude/versions/**', 2),
    ...AGENT_PROGRAMS.map((name) => place(`.local/bin/${name}`, 3)),
    ...places(
      `
        node_modules/@anthropic-ai/claude-code/** node_modules/@openai/codex/**
        node_modules/@google/gemini-cli/** node_modules/@github/copilot/** node_modules/@qwen-code/qwen-code/**
      `,
      3,
    ),
    // Which commands Codex runs without asking.
    ...places('.codex/rules/**', 2),
    ...places(`
      .claude.json
      .codex/hooks.json .codex/config.toml .codex/*.config.toml .codex/requirements.toml .codex/managed_config.toml
      .gemini/config/hooks.json .gemini/settings.json .gemini/trusted_hooks.json .gemini/trustedfolders.json
      .gemini/extensions/*/hooks/hooks.json .gemini/extensions/extension-enablement.json
      .qwen/settings.json .qwen/trustedfolders.json
      .qwen/extensions/*/hooks/hooks.json .qwen/extensions/extension-enablement.json
      .cursor/hooks.json
      .factory/hooks.json .factory/settings.json .factory/settings.local.json .factory/hooks/hooks.json
      .grok/config.toml .grok/managed_config.toml .grok/hooks/** .grok/requirements.toml
      .copilot/settings.json .copilot/config.json .copilot/hooks/** .copilot/installed-plugins/**
      .codebuddy/settings.json .codebuddy/settings.local.json
      .kimi-code/config.toml .config/goose/config.yaml
      .pi/agent/extensions/** .pi/extensions/** .pi/agent/settings.json .pi/settings.json
      .cline/plugins/** .cline/hooks/** .clinerules/hooks/** .cline/data/settings/global-settings.json
      .openclaw/openclaw.json .openclaw/extensions/**
    `),
    ...places('documents/cline/plugins/** documents/cline/hooks/**', 2),
    ...wordList('.codex .factory .grok .codebuddy').flatMap((folder) =>
      pluginParts(folder, wordList('hooks/hooks.json')),
    ),
    ...places('.agents/hooks.json', 2),
    ...places('.agents/plugins/*/hooks/hooks.json .agents/plugins/*/plugin.json', 2),
    ...places('.github/hooks/** .github/copilot/settings.json .github/copilot/settings.local.json', 2),
    // Kilo is made from OpenCode and has the same files under its own name.
    ...wordList('opencode kilo').flatMap((name) => [
      ...places(`.${name}/plugin/** .${name}/plugins/** .${name}/${name}.json .${name}/${name}.jsonc`),
      ...places(
        `
          .config/${name}/plugin/** .config/${name}/plugins/**
          .config/${name}/${name}.json .config/${name}/${name}.jsonc
        `,
        2,
      ),
    ]),
    ...places(`
      /etc/claude-code/** /etc/codex/** /etc/gemini-cli/** /etc/qwen-code/** /etc/cursor/**
      /etc/github-copilot/** /etc/goose/** /etc/factory/**
    `),
    ...wordList('claudecode codex cursor').map((name) => place(`/library/application support/${name}/**`)),
  ],
  /** Holdpoint's own configuration, state, socket and program, in any installation folder. */
  own: [
    ...places('.holdpoint/config.yaml .holdpoint/config.local.yaml .holdpoint/bin/**'),
    ...places('.config/holdpoint/** node_modules/holdpoint/**', 2),
    place('node_modules/.bin/holdpoint', 3),
    ...places('bin/holdpoint bin/holdpoint-hook bin/holdpoint-node', 2),
    // The folder of the open standards, with the program that its hooks start.
    place('.agents/plugins/holdpoint/**', 3),
    // The plugin as Claude Code stores it: its files, and the file that says where Holdpoint is.
    place('plugins/cache/*/holdpoint/**', 4),
    ...places('plugins/cache/holdpoint/** plugins/marketplaces/holdpoint/**', 3),
    place('plugins/data/holdpoint-holdpoint/**', 3),
    place('/etc/holdpoint/**'),
    place('/library/application support/holdpoint/**'),
  ],
}
