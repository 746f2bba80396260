/** Thrown to the SDK, which makes it a tool error: its message is what the model reads. */
export function denied(reason: string): Error {
  return Object.assign(new Error(reason), { name: DENIED })
}

/** True for the error of a call, or of an output, that hooks stopped. */
export function isDenied(error: unknown): boolean {
  return error instanceof Error && error.name === DENIED
}

const DENIED = 'ToolCallDenied'
