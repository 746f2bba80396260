import type { ModelMessage } from 'ai'

/**
 * Passes what hooks say to the next step: separate messages for the model, and the end of the run. Create
 * one for each run or conversation, because it remembers the positions of its messages.
 */
export interface Courier {
  /** For `prepareStep`. */
  prepareStep(step: StepSoFar): StepWithMessages | undefined
  /** For `prepareStep`, if the program has its own: it gets the messages including Holdpoint's. */
  around<Step extends StepSoFar, Settings extends StepSettings>(
    own: (step: Step) => PromiseLike<Settings> | Settings,
  ): (step: Step) => Promise<Settings | StepWithMessages | undefined>
  /** For `stopWhen`: true once a hook has ended the run. */
  stopWhen(): boolean
  /** Why the run ends. */
  halted(): string | undefined
  send(text: string): void
  halt(why: string): void
}

interface StepSoFar {
  readonly stepNumber: number
  readonly messages: ModelMessage[]
}

interface StepWithMessages {
  messages: ModelMessage[]
}

/** Any of the SDK's settings of a step; only `messages` is used. */
type StepSettings = object | undefined

export function createCourier(): Courier {
  let waiting: string[] = []
  let put: { readonly at: number; readonly text: string }[] = []
  let why: string | undefined

  // The messages of a step are only for that step, so everything is inserted again each time, at its old
  // position.
  const prepareStep = ({ stepNumber, messages }: StepSoFar) => {
    if (stepNumber === 0) put = []
    put.push(...waiting.map((text) => ({ at: messages.length, text })))
    waiting = []
    return put.length === 0 ? undefined : { messages: withTexts(messages, put) }
  }
  return {
    prepareStep,
    around: (own) => async (step) => {
      const ours = prepareStep(step)
      const theirs = await own(ours === undefined ? step : { ...step, ...ours })
      return ours === undefined ? theirs : { ...ours, ...withoutNothing(theirs) }
    },
    stopWhen: () => why !== undefined,
    halted: () => why,
    send: (text) => void waiting.push(text),
    halt: (text) => {
      why ??= text
    },
  }
}

function withTexts(
  messages: readonly ModelMessage[],
  put: readonly { readonly at: number; readonly text: string }[],
): ModelMessage[] {
  const after = (at: number) =>
    put.filter((each) => each.at === at).map(({ text }): ModelMessage => ({ role: 'user', content: text }))
  return [...after(0), ...messages.flatMap((message, index) => [message, ...after(index + 1)])]
}

/** `{ messages: undefined }` means "unchanged", so Holdpoint's messages stay. */
function withoutNothing<Settings extends StepSettings>(settings: Settings): Settings {
  if (settings === undefined || !('messages' in settings) || settings.messages !== undefined) return settings
  const { messages: _messages, ...rest } = settings
  return rest as Settings
}
