/**
 * What hooks can do through an SDK: one row of the guide's table each. The contract suite plays every row on
 * the real package and compares the result with what the adapter declares.
 */
export const SDK_ABILITIES = {
  deny: 'Block a call before it runs; the model sees the reason',
  ask: 'Ask the user before a call runs',
  allow: "Allow a call without the SDK's own permission prompt",
  rewrite: 'Change the input of a call',
  parallel: 'Check parallel calls separately',
  output: 'Replace the output of a tool before the model sees it',
  withhold: 'Keep the output from the model with a deny after the run',
  failure: 'Run hooks after a failed call; the model sees their text',
  toolResult: 'Add text to the result of the call (`tool_result`)',
  userMessage: 'Add text as a separate message (`user_message`)',
  notice: 'Show text to the user',
  subagent: 'Check the calls of a sub-agent under its own name',
  subagentEvents: 'Run hooks when a sub-agent starts and stops',
  halt: 'End the run from a hook',
  cancel: 'Stop waiting for hooks when a call is cancelled',
  prompt: 'Check the prompt',
  stop: 'Keep an agent from stopping',
  session: 'Run hooks when a session starts and ends',
  compaction: 'Run hooks before a compaction',
} as const

export type SdkAbility = keyof typeof SDK_ABILITIES

export interface Ability {
  readonly can: 'yes' | 'partly' | 'no'
  /** How, or what happens instead. */
  readonly how: string
}

export interface SdkAdapter {
  /** Its folder, and the last part of the name it is published under. */
  readonly id: string
  readonly title: string
  readonly abilities: Readonly<Record<SdkAbility, Ability>>
}
