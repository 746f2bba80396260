import type { Handler, HandlerTools } from '../core/handler.ts'

type Member = { create(tools: HandlerTools): Handler }

/** Every way to run a hook, loaded when a plan needs it. The table equals the folders: a gate checks it. */
export const HANDLERS: Readonly<Record<string, () => Promise<Member>>> = {
  guard: () => import('./guard/handler.ts'),
  command: () => import('./command/handler.ts'),
  module: () => import('./module/handler.ts'),
  http: () => import('./http/handler.ts'),
  callable: () => import('./callable/handler.ts'),
  rule: () => import('./rule/handler.ts'),
  contract: () => import('./contract/handler.ts'),
}
