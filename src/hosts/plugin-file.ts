import { lastResortOf } from '../core/deadlines.ts'
import { bad, good } from '../core/errors.ts'
import { isObject, textAt } from '../core/json.ts'
import { type DialectInstall, ownName, probePayload, userFileOnly, waitsOf } from './dialect-install.ts'
import { checkOptions, hookArguments } from './hook-entry.ts'
import type { InstalledEntry, Installer, InstallOptions, PluginPackage } from './installer.ts'
import { governedBy, type Switches } from './switched-off.ts'

/**
 * An installer for an agent that loads plugins: a small file of ours that loads the rest from the installed copy. So it
 * stays the same for as long as the home does, and one that differs by a byte is not ours any more.
 */
export interface PluginFile extends DialectInstall {
  /** The program after `settings`. */
  readonly body: string
  readonly package: Omit<PluginPackage, 'body'>
  /** What keeps the plugin from being loaded, in other files. */
  readonly switches?: Switches
}

/** What the file says in its second line. */
interface PluginFileSettings {
  readonly host: string
  readonly home: string
  /** Answers when there is no daemon. */
  readonly program: string
  /** The address of the module with our plugins. */
  readonly plugins: string
}

export function pluginFileInstaller(own: PluginFile): Installer {
  const { dialect, program, events } = own
  const entriesIn = (text: string): readonly InstalledEntry[] => {
    const settings = settingsIn(text)
    if (settings === undefined || text !== pluginText(settings, own.body)) return []
    return pluginEntries(own, settings)
  }
  return {
    host: dialect.id,
    program,
    events,
    file: userFileOnly(own),
    install(text, options) {
      const checked = checkOptions(options, own.oldest)
      if (!checked.ok) return checked
      if (text !== undefined && text.trim() !== '' && !isPlugin(text)) {
        return bad(
          'CONFIG_VALUE',
          'This file is for the plugin of Holdpoint, and it holds another program.',
          {
            fix: 'Give that one another name in the same folder and install again; nothing was changed.',
          },
        )
      }
      return good(pluginText(settingsFor(options, dialect.id), own.body))
    },
    uninstall: (text) => good(isPlugin(text) ? undefined : text),
    entries: (text) => good(entriesIn(text)),
    warnings: () => [],
    stops: (text) =>
      isPlugin(text) && entriesIn(text).length === 0
        ? ['the plugin was changed. Run `holdpoint init` to write it again.']
        : [],
    trustWarnings({ text, read }) {
      const settings = entriesIn(text).length === 0 ? undefined : settingsIn(text)
      return settings === undefined ? [] : notLoaded(settings, dialect.title, read)
    },
    ...(own.switches === undefined ? {} : governedBy(own.switches)),
    probe: (event, session) => probePayload(dialect, event, session),
    package: { ...own.package, body: own.body },
  }
}

/** What the plugin asks at each event, as if the agent started the program itself: so `doctor` can try it. */
export function pluginEntries(
  own: DialectInstall,
  { program, home }: Pick<PluginFileSettings, 'program' | 'home'>,
): readonly InstalledEntry[] {
  return own.events.map((event) => {
    const { deadlineMs, timeoutMs } = waitsOf(own, event)
    return {
      ...{ event, ownName: ownName(own, event), command: program, shell: false },
      args: hookArguments(own.dialect.id, event, home, deadlineMs),
      timeoutMs,
      failsClosed: lastResortOf(event) === 'deny',
    }
  })
}

/** The plugin writes a note whenever an agent has loaded it. */
export function notLoaded(
  { home, host }: Pick<PluginFileSettings, 'home' | 'host'>,
  title: string,
  read: (path: string) => string | undefined,
): readonly string[] {
  if (read(`${home}/run/plugin-${host}.json`) !== undefined) return []
  return [`${title} has not loaded the plugin yet. Start it once, then run \`holdpoint doctor\` again.`]
}

const MARK =
  "// Holdpoint's plugin, written by `holdpoint init`. Do not edit it; `holdpoint uninstall` removes it.\n"
const SETTINGS = 'const settings = '

export function isPlugin(text: string): boolean {
  return text.startsWith(MARK)
}

/** The file with these settings. */
export function pluginText(settings: PluginFileSettings, body: string): string {
  return `${MARK}${SETTINGS}${JSON.stringify(settings)}\n${body}`
}

export function settingsFor({ home, command }: InstallOptions, host: string): PluginFileSettings {
  const path = `${home}/runtime/current/dist/plugins.mjs`
  return {
    host,
    home,
    program: command,
    plugins: `file://${path.split('/').map(encodeURIComponent).join('/')}`,
  }
}

function settingsIn(text: string): PluginFileSettings | undefined {
  const line = isPlugin(text) ? (text.slice(MARK.length).split('\n', 1)[0] ?? '') : ''
  if (!line.startsWith(SETTINGS)) return undefined
  try {
    const value: unknown = JSON.parse(line.slice(SETTINGS.length))
    if (!isObject(value)) return undefined
    const [host, home, program, plugins] = ['host', 'home', 'program', 'plugins'].map(
      (key) => textAt(value, key) ?? '',
    )
    return host && home && program && plugins ? { host, home, program, plugins } : undefined
  } catch {
    return undefined
  }
}
