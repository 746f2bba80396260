/** Thrown to the SDK, which turns it into a tool error: the model reads its message. */
export function denied(reason: string): Error {
  return Object.assign(new Error(reason), { name: DENIED })
}

/** True for the error of a call, or of an output, that hooks denied. */
export function isDeniedError(error: unknown): boolean {
  return error instanceof Error && error.name === DENIED
}

const DENIED = 'ToolCallDenied'
