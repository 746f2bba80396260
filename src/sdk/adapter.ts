/**
 * What hooks can do through an SDK, one row of the guide's table each. The contract suite plays every row on the real
 * package and compares what it saw with what the adapter says.
 */
export const SDK_ABILITIES = {
  deny: 'A call is stopped before it runs, and the model reads why',
  ask: 'A person is asked first',
  allow: "A granted call runs without the SDK's own question",
  rewrite: 'A call runs with another input',
  parallel: 'Calls made side by side are judged one by one',
  output: "A tool's output is replaced before the model sees it",
  withhold: 'A deny after the run keeps the output from the model',
  failure: 'A failed call is told to hooks, and their text to the model',
  toolResult: 'Text of a hook stands in the result of the call (`tool_result`)',
  userMessage: 'Text of a hook is a message of its own (`user_message`)',
  notice: 'Text of a hook reaches the person',
  subagent: "A sub-agent's calls are judged under its own name",
  subagentEvents: 'The start and the end of a sub-agent are events',
  halt: 'A hook ends the run',
  cancel: 'A cancelled call waits for no hook',
  prompt: 'The prompt is judged',
  stop: 'An agent that wants to stop can be held',
  session: 'The start and the end of a session are events',
  compaction: 'A compaction of the conversation is an event',
} as const

export type SdkAbility = keyof typeof SDK_ABILITIES

export interface Ability {
  readonly can: 'yes' | 'partly' | 'no'
  /** How, or what holds instead. */
  readonly how: string
}

export interface SdkAdapter {
  /** Its folder, and the last part of the name it is published under. */
  readonly id: string
  readonly title: string
  readonly abilities: Readonly<Record<SdkAbility, Ability>>
}
