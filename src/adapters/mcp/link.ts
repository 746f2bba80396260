/** The connection to a server, for any transport. Messages are complete and without a newline. */
export interface ServerLink {
  /** False: it cannot take more now; `ready` says when it can. */
  send(bytes: Buffer): boolean
  /** Stops reading from the server for a while. */
  hold(): void
  resume(): void
  /** The client will send no more messages. */
  end(): void
  /** Ends it at once. */
  stop(): void
}

export interface LinkListener {
  message(bytes: Buffer): void
  ready(): void
  /** Called once, at the end. */
  ended(ending: Ending): void
}

export interface Ending {
  readonly why: string
  readonly exitCode: number
}
