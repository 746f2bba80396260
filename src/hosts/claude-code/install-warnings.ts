import type { Node } from 'jsonc-parser'
import { type HookShape, wrongKeys } from '../hook-shape.ts'
import { keyOf, notStrict, propertiesOf, readJsonText, valueAt } from '../json-text.ts'

/**
 * What makes Claude Code not start our entries, or start them in a weaker place, as seen on 2.1.325. A text that is
 * not JSON at all is told by whoever reads the entries.
 */
export function settingsWarnings(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok) return []
  const { root } = document.value
  return [...notLoaded(text, root), ...switchedOff(root), ...weakenedByEnvironment(root)]
}

/**
 * Claude Code sends hook requests to a proxy like any others, also those to this machine, and takes the proxy from
 * the settings' `env`: whoever answers there would judge, and would learn the secret. Seen on 2.1.325.
 */
export function httpWarnings(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok) return []
  const { root } = document.value
  const names = propertiesOf(valueAt(root, 'env')).map(keyOf)
  return [
    ...names
      .filter((name) => /^(?:https?|all|no)_proxy$/i.test(name))
      .map(
        (name) =>
          `env.${name} can send what hooks ask over HTTP to a proxy. Set it outside the settings, with 127.0.0.1 in NO_PROXY.`,
      ),
    ...(valueAt(root, 'allowedHttpHookUrls') === undefined
      ? []
      : [
          'allowedHttpHookUrls decides which hooks may ask over HTTP; where ours is not among them, tools are blocked and gates at a stop do not hold. Remove it, or add http://127.0.0.1:*.',
        ]),
  ]
}

const SETTINGS_MAX_BYTES = 2 * 1024 * 1024

/** Here one wrong entry keeps the whole file from loading; elsewhere it is only skipped. */
const SHAPE: HookShape = {
  events: new Set(['PreToolUse', 'PermissionRequest']),
  types: new Set(['command', 'prompt', 'agent', 'http', 'mcp_tool']),
  groupNeedsHooks: true,
  matcherMayBeNull: false,
}

function notLoaded(text: string, root: Node | undefined): readonly string[] {
  const NOT_LOADED = 'Claude Code does not load such a file, and no hook in it runs'
  const strict = root === undefined ? undefined : notStrict(text)
  const bytes = new TextEncoder().encode(text).length
  return [
    ...(strict === undefined
      ? []
      : [
          `line ${strict.line} has ${strict.why}, which strict JSON does not know. ${NOT_LOADED}: take it out.`,
        ]),
    ...(bytes <= SETTINGS_MAX_BYTES ? [] : [`the file is over 2 MiB. ${NOT_LOADED}: make it smaller.`]),
    ...wrongKeys(root, SHAPE).map(
      (key) => `${key} has the wrong shape. ${NOT_LOADED}: correct or remove it.`,
    ),
  ]
}

function switchedOff(root: Node | undefined): readonly string[] {
  const disabled = valueAt(root, 'disableAllHooks')
  const managedOnly = valueAt(root, 'allowManagedHooksOnly')
  return [
    ...(disabled === undefined || disabled.value === false
      ? []
      : ['disableAllHooks switches off every hook, also those of other settings files. Remove it.']),
    ...(managedOnly?.value === true
      ? ['allowManagedHooksOnly, in managed settings, switches off every hook outside them, ours too.']
      : []),
  ]
}

/** Variables that decide which code a hook runs or where it looks. NODE_ENV, which many projects set, does not. */
const WEAKENING = /^(?:NODE_(?!ENV$)|LD_|DYLD_|HOLDPOINT_|(?:PATH|BASH_ENV|ENV|HOME)$)/

function weakenedByEnvironment(root: Node | undefined): readonly string[] {
  return propertiesOf(valueAt(root, 'env')).flatMap((property) => {
    const name = keyOf(property)
    return WEAKENING.test(name)
      ? [`env.${name} changes what programs started by hooks load or find. Set it outside the settings.`]
      : []
  })
}
