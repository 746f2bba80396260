import type { CheckedPush } from '../sink/place-push.ts'
import type { AppendReply, Sink } from '../sink/sink.ts'

/**
 * Stores pushes of many machines together: a commit costs as much for one as for a hundred. At most one push of a machine
 * is in a group, and a machine waits while an earlier push of it is being stored.
 */
export interface Ingest {
  store(push: CheckedPush): Promise<AppendReply>
  /** How many pushes wait or are being stored. */
  readonly waiting: number
}

export interface IngestOptions {
  readonly rowsMax: number
  /** How long the first push of a group waits for others. */
  readonly waitMs: number
  /** How many groups are stored at the same time. */
  readonly writers: number
}

const DEFAULTS: IngestOptions = { rowsMax: 2_000, waitMs: 10, writers: 2 }

interface Waiting {
  readonly push: CheckedPush
  resolve(reply: AppendReply): void
  reject(error: unknown): void
}

export function createIngest(sink: Pick<Sink, 'append'>, options: Partial<IngestOptions> = {}): Ingest {
  const { rowsMax, waitMs, writers } = { ...DEFAULTS, ...options }
  let queue: readonly Waiting[] = []
  const busy = new Set<string>()
  let writing = 0
  let timer: NodeJS.Timeout | undefined

  function takeGroup(): readonly Waiting[] {
    const group: Waiting[] = []
    const machines = new Set<string>()
    let rows = 0
    queue = queue.filter((each) => {
      const { machine } = each.push
      if (rows >= rowsMax || busy.has(machine) || machines.has(machine)) return true
      machines.add(machine)
      group.push(each)
      rows += each.push.rows.length
      return false
    })
    return group
  }

  function flush(): void {
    timer = undefined
    while (writing < writers) {
      const group = takeGroup()
      if (group.length === 0) return
      for (const { push } of group) busy.add(push.machine)
      writing += 1
      void storeGroup(sink, group).then(() => {
        writing -= 1
        for (const { push } of group) busy.delete(push.machine)
        if (queue.length > 0) flush()
      })
    }
  }

  return {
    store: (push) =>
      new Promise((resolve, reject) => {
        queue = [...queue, { push, resolve, reject }]
        const rows = queue.reduce((sum, each) => sum + each.push.rows.length, 0)
        if (rows >= rowsMax) {
          clearTimeout(timer)
          flush()
        } else timer ??= setTimeout(flush, waitMs)
      }),
    get waiting() {
      return queue.length + busy.size
    },
  }
}

async function storeGroup(sink: Pick<Sink, 'append'>, group: readonly Waiting[]): Promise<void> {
  try {
    const replies = await sink.append(group.map(({ push }) => push))
    for (const [at, { resolve, reject }] of group.entries()) {
      const reply = replies[at]
      if (reply === undefined) reject(new Error('the sink gave no answer'))
      else resolve(reply)
    }
  } catch (error) {
    // One push may be to blame. Each is stored alone, so that it harms no other; if the database is away, all fail.
    if (group.length === 1) for (const { reject } of group) reject(error)
    else for (const each of group) await storeGroup(sink, [each])
  }
}
