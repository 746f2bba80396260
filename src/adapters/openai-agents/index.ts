/** Published as `holdpoint/sdk/openai-agents`: agents of the OpenAI Agents SDK with the hooks of a runtime. */
export type { Ask, PersonQuestion } from '../question.ts'
export { createRunCourier, type RunCourier } from './courier.ts'
export { type GuardOptions, guardAgent, guardAgentTools } from './guard-agent.ts'
export { toolError } from './tool-failure.ts'
