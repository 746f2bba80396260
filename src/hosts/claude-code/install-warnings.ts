import type { Node } from 'jsonc-parser'
import { type HookShape, wrongKeys } from '../hook-shape.ts'
import { notStrict, propertiesOf, propertyName, readJsonText, valueAt } from '../json-text.ts'

/**
 * What prevents Claude Code from running our entries, or weakens them, as observed in 2.1.325. A text that is not JSON
 * is reported by the code that reads the entries.
 */
export function settingsWarnings(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok) return []
  const { root } = document.value
  return [...notLoaded(text, root), ...switchedOff(root), ...weakenedByEnvironment(root)]
}

/** What keeps Claude Code from starting any hook of this file. */
export function settingsStops(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok) return []
  return [...notLoaded(text, document.value.root), ...switchedOff(document.value.root)]
}

/** Any of its settings files can switch off the hooks of all the others, while a session runs too. */
export function settingsSwitchOff(text: string): string | undefined {
  const document = readJsonText(text)
  const value = document.ok ? valueAt(document.value.root, 'disableAllHooks') : undefined
  return value === undefined || value.value === false
    ? undefined
    : 'has `disableAllHooks`, which switches every hook off'
}

/**
 * Claude Code sends hook requests through a proxy like all others, even those to this machine, and takes the proxy from
 * the settings' `env`: the proxy could answer instead of us, and would learn the secret. Observed in 2.1.325.
 */
export function httpWarnings(text: string): readonly string[] {
  const document = readJsonText(text)
  if (!document.ok) return []
  const { root } = document.value
  const names = propertiesOf(valueAt(root, 'env')).map(propertyName)
  return [
    ...names
      .filter((name) => /^(?:https?|all|no)_proxy$/i.test(name))
      .map(
        (name) =>
          `env.${name} can send HTTP hook requests to a proxy. Set it outside the settings, with 127.0.0.1 in NO_PROXY.`,
      ),
    ...(valueAt(root, 'allowedHttpHookUrls') === undefined
      ? []
      : [
          'allowedHttpHookUrls limits which addresses HTTP hooks may call. If ours is not listed, tools are blocked and hooks at a stop do not work. Remove it, or add http://127.0.0.1:*.',
        ]),
  ]
}

const SETTINGS_MAX_BYTES = 2 * 1024 * 1024

/** At these events one wrong entry prevents the whole file from loading; at others it is only skipped. */
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
      : [`line ${strict.line} has ${strict.why}, which JSON does not allow. ${NOT_LOADED}: remove it.`]),
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
      : ['disableAllHooks disables every hook, also those of other settings files. Remove it.']),
    ...(managedOnly?.value === true
      ? ['allowManagedHooksOnly, in managed settings, disables every hook outside them, including ours.']
      : []),
  ]
}

/** Variables that decide which code a hook runs or where it looks. NODE_ENV, which many projects set, does not. */
const WEAKENING = /^(?:NODE_(?!ENV$)|LD_|DYLD_|HOLDPOINT_|(?:PATH|BASH_ENV|ENV|HOME)$)/

function weakenedByEnvironment(root: Node | undefined): readonly string[] {
  return propertiesOf(valueAt(root, 'env')).flatMap((property) => {
    const name = propertyName(property)
    return WEAKENING.test(name)
      ? [`env.${name} changes what programs started by hooks load or find. Set it outside the settings.`]
      : []
  })
}
