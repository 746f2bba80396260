/** Published as `holdpoint/sdk/ai`: tools of the AI SDK with the hooks of a runtime. */
export type { Ask, PersonQuestion } from '../question.ts'
export { isDeniedError } from './denied.ts'
export { type GuardToolsOptions, guardTools } from './guard-tools.ts'
export { type Courier, createCourier } from './step-messages.ts'
