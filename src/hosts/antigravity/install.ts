import { bad, good, type Result } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { type DialectInstall, entryText, probePayload, provedBy, userFileOnly } from '../dialect-install.ts'
import { checkOptions } from '../hook-entry.ts'
import type { Installer, InstallOptions } from '../installer.ts'
import {
  added,
  changed,
  firstValue,
  type JsonText,
  propertyName,
  readJsonText,
  valueAt,
  withoutProperty,
  withValue,
} from '../json-text.ts'
import { ANTIGRAVITY } from './dialect.ts'
import { foreignIn, NAME, ownEntries, whyDropped } from './named-hook.ts'

const ANTIGRAVITY_INSTALL: DialectInstall = {
  dialect: ANTIGRAVITY,
  program: 'agy',
  events: ['PreToolUse', 'PostToolUse', 'Stop'],
  oldest: { title: ANTIGRAVITY.title, version: '1.1.0', why: 'its hooks are not documented' },
  file: ({ home }) => `${home}/.gemini/config/hooks.json`,
}

/** One named hook in the hooks of the user: the key `holdpoint` is ours, and every other byte stays. */
export const installer: Installer = {
  host: ANTIGRAVITY.id,
  program: ANTIGRAVITY_INSTALL.program,
  events: ANTIGRAVITY_INSTALL.events,
  ...provedBy(ANTIGRAVITY),
  file: userFileOnly(ANTIGRAVITY_INSTALL),
  install(text, options) {
    const checked = checkOptions(options, ANTIGRAVITY_INSTALL.oldest)
    if (!checked.ok) return checked
    return reading(text ?? '', (document) => {
      const { root } = document
      const value = namedHook(options)
      if (root === undefined) return good(firstValue(document, { [NAME]: value }))
      if (root.type !== 'object') return refused('The file must hold an object.')
      if (foreignIn(root)) return refused(`A hook that is not of Holdpoint is called \`${NAME}\` here.`, NAME)
      const own = valueAt(root, NAME)
      return good(
        changed(
          document,
          own === undefined ? added(document, root, [{ key: NAME, value }]) : withValue(document, own, value),
        ),
      )
    })
  },
  uninstall: (text) =>
    reading(text, (document) => {
      const { root } = document
      if (root === undefined || valueAt(root, NAME) === undefined || foreignIn(root)) return good(text)
      const left = changed(
        document,
        withoutProperty(document, root, (child) => propertyName(child) === NAME),
      )
      return good(left.replace(/\s/g, '') === '{}' ? undefined : left)
    }),
  entries: (text) => reading(text, (document) => good(ownEntries(document.root))),
  warnings: whyDropped,
  stops: whyDropped,
  probe: (event, session) => probePayload(ANTIGRAVITY, event, session),
}

/** Timeouts are whole seconds: one value that it does not expect, and the whole file is dropped in silence. */
function namedHook(options: InstallOptions): JsonObject {
  const pairs = ANTIGRAVITY_INSTALL.events.map((event) => {
    const { line, timeoutMs } = entryText(ANTIGRAVITY_INSTALL, event, options)
    const entry = { type: 'command', command: line, timeout: Math.ceil(timeoutMs / 1_000) }
    return [event, event === 'Stop' ? [entry] : [{ matcher: '', hooks: [entry] }]] as const
  })
  return Object.fromEntries(pairs)
}

function reading<T>(text: string, use: (document: JsonText) => Result<T>): Result<T> {
  const document = readJsonText(text)
  return document.ok ? use(document.value) : document
}

function refused(message: string, key?: string): Result<never> {
  return bad('CONFIG_VALUE', message, {
    ...(key === undefined ? {} : { key }),
    fix: 'Correct or rename it, then install again; nothing was changed.',
  })
}
