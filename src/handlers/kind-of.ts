import {
  commandWords,
  type HandlerKind,
  lineIn,
  moduleIn,
  moduleWords,
  pythonIn,
} from '../core/handler-kind.ts'
import type { HandlerSpec } from '../core/hook.ts'
import * as handlers from './index.ts'

/** The module or package that guards come from: nothing runs it alone, but it must be trusted as a whole. */
const pack: HandlerKind = {
  timeoutMs: 5_000,
  section: 'packs',
  namesCode: () => true,
  starts: (run) => moduleIn(run, 'package'),
  verb: 'runs',
  describe: moduleWords,
}

/** By type. */
export const HANDLER_KINDS: Readonly<Record<string, HandlerKind>> = { ...handlers, pack }

/** A handler that is not in the table is code, and what it starts is read from the usual keys. */
const UNKNOWN: HandlerKind = {
  timeoutMs: 2_000,
  section: 'hooks',
  namesCode: () => true,
  starts: (run) => pythonIn(run) ?? lineIn(run),
  verb: 'runs',
  describe: (run) => [commandWords(run)],
}

export function handlerKind({ type }: HandlerSpec): HandlerKind {
  return (Object.hasOwn(HANDLER_KINDS, type) ? HANDLER_KINDS[type] : undefined) ?? UNKNOWN
}

/** Whether it names a program, a module or an address. */
export function namesCode(run: HandlerSpec): boolean {
  return handlerKind(run).namesCode(run)
}

/** The command line that a hook starts, and its arguments. Undefined if it starts something else. */
export function startedLine(
  run: HandlerSpec,
): { readonly command: string; readonly args?: readonly string[] } | undefined {
  const code = handlerKind(run).starts?.(run)
  return code?.kind === 'line' ? code : undefined
}
