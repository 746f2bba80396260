/** A server, however it is reached. Messages are whole and without a line end. */
export interface ServerLink {
  /** False: it cannot take more now; `ready` says when it can. */
  send(bytes: Buffer): boolean
  /** Reads nothing from the server for a while. */
  hold(): void
  resume(): void
  /** The client has nothing more to say. */
  end(): void
  /** At once. */
  stop(): void
}

export interface LinkListener {
  message(bytes: Buffer): void
  ready(): void
  /** Called once; nothing comes after it. */
  ended(ending: Ending): void
}

export interface Ending {
  readonly why: string
  readonly exitCode: number
}
