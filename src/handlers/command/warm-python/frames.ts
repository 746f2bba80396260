/** One message of the worker: see worker-text.ts. */
export interface Frame {
  /** The number of the call; 0: of the worker itself. */
  readonly number: number
  readonly kind: 'ready' | 'started' | 'out' | 'err' | 'ended' | 'cold'
  readonly data: Buffer
}

const KINDS: Readonly<Record<string, Frame['kind']>> = {
  R: 'ready',
  S: 'started',
  O: 'out',
  E: 'err',
  X: 'ended',
  C: 'cold',
}

const HEAD_BYTES = 9
/** The worker passes on what it reads in pieces of this size. */
const DATA_MAX_BYTES = 65_536

/** Takes bytes as they arrive, and returns the frames that are complete. Undefined: this is not from a worker. */
export function frameReader(): (bytes: Buffer) => readonly Frame[] | undefined {
  let rest: Buffer = Buffer.alloc(0)
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    const frames: Frame[] = []
    while (rest.length >= HEAD_BYTES) {
      const kind = KINDS[String.fromCharCode(rest.readUInt8(4))]
      const sizeBytes = rest.readUInt32BE(5)
      if (kind === undefined || sizeBytes > DATA_MAX_BYTES) return undefined
      if (rest.length < HEAD_BYTES + sizeBytes) break
      const data = rest.subarray(HEAD_BYTES, HEAD_BYTES + sizeBytes)
      frames.push({ number: rest.readUInt32BE(0), kind, data })
      rest = rest.subarray(HEAD_BYTES + sizeBytes)
    }
    return frames
  }
}

/** A request: its length, then JSON. */
export function workerRequest(request: object): Buffer {
  const text = Buffer.from(JSON.stringify(request), 'utf8')
  const head = Buffer.alloc(4)
  head.writeUInt32BE(text.length)
  return Buffer.concat([head, text])
}
