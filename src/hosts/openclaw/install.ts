import { bad, good } from '../../core/errors.ts'
import type { InstallPlaces } from '../../core/host.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'
import { type DialectInstall, probePayload, userFileOnly } from '../dialect-install.ts'
import { checkOptions, startsHookProgram, userFolder } from '../hook-entry.ts'
import type { Installer, InstallOptions } from '../installer.ts'
import { isPlugin, notLoaded, pluginEntries, pluginText, settingsFor } from '../plugin-file.ts'
import { OPENCLAW } from './dialect.ts'
import { entryIn, entryProblems, withEntry, withoutEntry } from './plugin-entry.ts'
import { OPENCLAW_BODY, OPENCLAW_MANIFEST, OPENCLAW_PACKAGE } from './plugin-folder.ts'

const own: DialectInstall = {
  dialect: OPENCLAW,
  program: 'openclaw',
  events: [
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'SubagentStart',
    'SubagentStop',
  ],
  oldest: { title: 'OpenClaw', version: '2026.9.0', why: 'the plugins of older versions were not tried' },
  file: configFile,
}

function configFile(where: InstallPlaces): string {
  const named = where.env.OPENCLAW_CONFIG_PATH
  if (named?.startsWith('/')) return named
  return `${userFolder(where, 'OPENCLAW_STATE_DIR', '.openclaw')}/openclaw.json`
}

/** A folder of our own among its plugins, and what its configuration must say so that the plugin is asked everything. */
export const installer: Installer = {
  host: OPENCLAW.id,
  program: own.program,
  events: own.events,
  file: userFileOnly(own),
  ownFiles: ownFilesOf,
  isOwnFile: (text) => isPlugin(text) || OWN_JSON.some((mark) => text.includes(mark)),
  install(text, options) {
    const checked = checkOptions(options, own.oldest)
    if (!checked.ok) return checked
    const found = entryIn(text ?? '')
    if (!found.ok) return found
    if (found.value !== undefined && programOf(found.value) === undefined) {
      return bad('CONFIG_VALUE', 'The plugin `holdpoint` in this file is another one.', {
        fix: 'Remove `plugins.entries.holdpoint` and install again; nothing was changed.',
      })
    }
    return withEntry(text, entryFor(options))
  },
  uninstall(text) {
    const found = entryIn(text)
    if (!found.ok) return found
    return found.value === undefined || programOf(found.value) === undefined ? good(text) : withoutEntry(text)
  },
  entries(text) {
    const found = entryIn(text)
    if (!found.ok) return found
    const program = programOf(found.value)
    const home = homeOf(found.value)
    if (program === undefined || home === undefined || entryProblems(text).length > 0) return good([])
    return good(pluginEntries(own, { program, home }))
  },
  warnings: () => [],
  stops: (text) => entryProblems(text).map((problem) => `${problem} Run \`holdpoint init\` to correct that.`),
  switches({ where, read }) {
    const found = entryIn(read(configFile(where)) ?? '')
    const [home, command] = found.ok ? [homeOf(found.value), programOf(found.value)] : []
    if (home === undefined || command === undefined) return []
    const files = Object.entries(ownFilesOf(where, { home, command, version: undefined }))
    const [lost] = files.find(([path, text]) => read(path) !== text) ?? []
    return lost === undefined
      ? []
      : [`${lost} is missing or was changed. Run \`holdpoint init\` to write it again.`]
  },
  trustWarnings({ text, read }) {
    const found = entryIn(text)
    const home = found.ok ? homeOf(found.value) : undefined
    return home === undefined ? [] : notLoaded({ home, host: OPENCLAW.id }, OPENCLAW.title, read)
  },
  probe: (event, session) => probePayload(OPENCLAW, event, session),
  package: {
    body: OPENCLAW_BODY,
    manifest: {
      keywords: ['openclaw-plugin', 'holdpoint'],
      openclaw: { extensions: ['./index.js'], compat: { pluginApi: '>=2026.9.6' } },
    },
    files: { 'openclaw.plugin.json': OPENCLAW_MANIFEST },
    command: (name) => `openclaw plugins install ${name}`,
  },
}

function ownFilesOf(where: InstallPlaces, options: InstallOptions): Readonly<Record<string, string>> {
  const folder = `${userFolder(where, 'OPENCLAW_STATE_DIR', '.openclaw')}/extensions/holdpoint`
  return {
    [`${folder}/package.json`]: OPENCLAW_PACKAGE,
    [`${folder}/openclaw.plugin.json`]: OPENCLAW_MANIFEST,
    [`${folder}/index.js`]: pluginText(settingsFor(options, OPENCLAW.id), OPENCLAW_BODY),
  }
}

/** In the files that have no room for a comment, whatever version wrote them. */
const OWN_JSON = ['"name": "holdpoint-openclaw-plugin"', '"id": "holdpoint"']

function entryFor({ home, command }: InstallOptions): JsonObject {
  return {
    enabled: true,
    // Without this it is asked about calls only, and about nothing that an agent says or is told.
    hooks: { allowConversationAccess: true },
    config: { home, program: command },
  }
}

/** The program that our plugin starts; undefined: the entry is not ours. */
function programOf(entry: JsonObject | undefined): string | undefined {
  const program = isObject(entry?.config) ? textAt(entry.config, 'program') : undefined
  return program !== undefined && startsHookProgram(program, []) ? program : undefined
}

function homeOf(entry: JsonObject | undefined): string | undefined {
  return isObject(entry?.config) ? textAt(entry.config, 'home') : undefined
}
