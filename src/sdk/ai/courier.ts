import type { ModelMessage } from 'ai'

/**
 * Carries what hooks say between steps: messages of their own for the model, and that the run must end. One for each
 * run or conversation: it remembers where in the messages it has put something.
 */
export interface Courier {
  /** For `prepareStep`. */
  prepareStep(step: StepSoFar): StepWithMessages | undefined
  /** For `prepareStep`, where the program has one of its own: that one sees the messages with ours among them. */
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

/** Any of the SDK's settings of a step; we look at `messages` alone. */
type StepSettings = object | undefined

export function createCourier(): Courier {
  let waiting: string[] = []
  let put: { readonly at: number; readonly text: string }[] = []
  let why: string | undefined

  // What a step is given holds for that step alone, so everything is put in again, each time at its old place.
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

/** `{ messages: undefined }` means "as they are", and as they are ours are among them. */
function withoutNothing<Settings extends StepSettings>(settings: Settings): Settings {
  if (settings === undefined || !('messages' in settings) || settings.messages !== undefined) return settings
  const { messages: _messages, ...rest } = settings
  return rest as Settings
}
