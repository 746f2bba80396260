import { resolve } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import pc from 'picocolors'
import type { Caller } from '../../src/commands/caller.ts'
import { readStream } from '../../src/commands/input.ts'
import { runCommandLine } from '../../src/commands/main.ts'
import type { Ancestor } from '../../src/system/ancestry.ts'
import { userHome } from '../../src/system/home.ts'
import type { AtTerminal, Place, Ran } from './command.ts'

/** Commands played in this process, from the sources: they get streams, an environment and a folder of their own. */

export async function playCommand(args: readonly string[], place: Place): Promise<Ran> {
  const [out, err] = [sink(), sink()]
  const exitCode = await runCommandLine(args, callerAt(place, out.stream, err.stream))
  return { stdout: out.text(), stderr: err.text(), exitCode }
}

/** As `atTerminal` does it: the terminal shows both streams, questions are answered, and nobody is above the process. */
export async function playPerson(
  args: readonly string[],
  place: Place,
  { size, type = [], pin }: Omit<AtTerminal, 'process'> & { readonly pin?: string | undefined },
): Promise<Ran> {
  const keys = new PassThrough()
  const answers = [type].flat()
  let asked = 0
  const shown = sink((text) => {
    for (const [question, word] of [...text.matchAll(QUESTION)].slice(asked)) {
      asked += 1
      const known = question === 'Your PIN: ' ? pin : word
      keys.write(`${known ?? answers.shift() ?? ''}\n`)
    }
  })
  const terminal = Object.assign(shown.stream, { isTTY: true, rows: size?.[0], columns: size?.[1] })
  const { NO_COLOR = '', TERM } = place.env
  const caller = callerAt(place, terminal, terminal)
  const exitCode = await runCommandLine(args, {
    ...caller,
    stdin: Object.assign(keys, { isTTY: true }),
    colours: pc.createColors(NO_COLOR === '' && TERM !== 'dumb'),
    ancestors: () => IN_A_WINDOW,
  })
  return { stdout: shown.text(), stderr: shown.text(), exitCode }
}

/** A person's own terminal: its window, and a shell in it. */
const IN_A_WINDOW: readonly Ancestor[] = [
  { pid: 3, programs: ['holdpoint'], environment: [], words: ['holdpoint'] },
  { pid: 2, programs: ['bash'], environment: [], words: ['bash'] },
  { pid: 1, programs: ['xterm'], environment: [], words: ['xterm'], rootsProgram: '/usr/bin/xterm' },
]

/** Without a PIN a person types the name of the command first. */
const QUESTION = /is only for people\. Type (\w+): | Type \w+: |\w+ PIN[^:\n]*: /g

function callerAt({ cwd, env, stdin }: Place, stdout: Writable, stderr: Writable): Caller {
  const input = inputOf(stdin)
  return {
    ...{ stdin: input, stdout, stderr, env, cwd },
    exitCode: 0,
    userHome: userHome(env),
    colours: pc.createColors(env.FORCE_COLOR !== undefined),
    path: (typed) => resolve(cwd, typed),
    readInput: (maxMs) => readStream(input, maxMs),
    exit: (code) => {
      throw new Error(`A command ended its process with exit code ${code}: start it as a process.`)
    },
    onSignals: () => () => {},
    // A script that nobody knows.
    ancestors: () => [{ pid: 1, programs: ['sh'], environment: [], words: ['sh', 'script'] }],
  }
}

function inputOf(text: string | Buffer): Readable {
  const bytes = Buffer.from(text)
  return new Readable({
    read() {
      if (bytes.length > 0) this.push(bytes)
      this.push(null)
    },
  })
}

function sink(onWrite: (text: string) => void = () => {}) {
  const chunks: Buffer[] = []
  const text = () => Buffer.concat(chunks).toString()
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      onWrite(text())
      done()
    },
  })
  return { stream, text }
}
