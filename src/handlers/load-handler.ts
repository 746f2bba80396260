import type { Handler, HandlerTools } from '../core/handler.ts'
import * as handlers from './index.ts'

type Member = { create(tools: HandlerTools): Handler }

/** The handler of this type, loaded when a plan needs it. Undefined if there is none. */
export async function loadHandler(type: string, tools: HandlerTools): Promise<Handler | undefined> {
  if (!Object.hasOwn(handlers, type)) return undefined
  // The names of the folders: bundlers follow a path of this form to all of them.
  const member: Member = await import(`./${type}/handler.ts`)
  return member.create(tools)
}
