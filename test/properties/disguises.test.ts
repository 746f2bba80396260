import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { gate } from '../../src/shell/gate.ts'
import { parse } from '../../src/shell/parse.ts'
import { createJudge, isFlagged, type Judge } from '../corpus/judge.ts'
import { type Row, readFamilies } from '../corpus/rows.ts'
import { AS_DATA, INSIDE, RUN_BY, type Spelling } from './disguises.ts'

/**
 * What holds for one row of the corpus holds for it in every disguise. Only rows that are answered as expected take
 * part: the others are the corpus's own failures.
 */
const SEED = 20_260_115

/** What another language's quotations name is taken for a file, and a whole reverse shell in them for one. */
const MAY_BE_TAKEN_FOR_CODE = /^secrets\/|^safety\/network\/reverse-shell$/

let judge: Judge
let denied: readonly string[]
let passed: readonly string[]

beforeAll(async () => {
  judge = await createJudge()
  const rows = readFamilies()
    .filter(({ name }) => name !== 'production')
    .flatMap((family) => family.rows)
    .filter(isWholeLine)
  denied = await commandsThat(rows, 'deny')
  passed = await commandsThat(rows, 'pass')
})

/** The whole line can be put into another; a row with a folder of its own would lose it. */
function isWholeLine({ command, cwd }: Row): boolean {
  return command !== undefined && cwd === undefined && gate(command) === undefined && parse(command).ok
}

async function commandsThat(rows: readonly Row[], effect: 'deny' | 'pass'): Promise<readonly string[]> {
  const commands: string[] = []
  for (const row of rows.filter((each) => each.expect === effect)) {
    if ((await judge(row)).effect === effect) commands.push(row.command ?? '')
  }
  return commands
}

/** One of the commands, by a number that does not depend on how many there are today. */
const pick = (commands: readonly string[], at: number) => commands[at % commands.length] ?? ''
const anyRow = fc.nat({ max: 1_000_000 })
const layers = fc.array(fc.constantFrom(...RUN_BY, ...INSIDE), { minLength: 1, maxLength: 3 })

function dressed(command: string, spellings: readonly Spelling[]): string {
  return spellings.reduce((text, spelling) => spelling.spell(text), command)
}

describe('a denied command', () => {
  it('is there in numbers', () => {
    expect(denied.length).toBeGreaterThan(500)
    expect(passed.length).toBeGreaterThan(1_000)
  })

  it.each([...RUN_BY, ...INSIDE].map((each) => [each.name, each] as const))(
    'stays flagged in %s',
    async (_name, spelling) => {
      await fc.assert(
        fc.asyncProperty(anyRow, async (at) => {
          const command = spelling.spell(pick(denied, at))
          expect(isFlagged(await judge({ command })), command).toBe(true)
        }),
        { seed: SEED, numRuns: 25 },
      )
    },
  )

  it('stays flagged in up to three of them, one in another', async () => {
    await fc.assert(
      fc.asyncProperty(anyRow, layers, async (at, spellings) => {
        const command = dressed(pick(denied, at), spellings)
        expect(isFlagged(await judge({ command })), command).toBe(true)
      }),
      { seed: SEED, numRuns: 1_000 },
    )
  })

  it.each(AS_DATA.map((each) => [each.name, each] as const))(
    'is harmless as data in %s',
    async (_name, spelling) => {
      await fc.assert(
        fc.asyncProperty(anyRow, async (at) => {
          const command = spelling.spell(pick(denied, at))
          const { effect, guard } = await judge({ command })
          if (spelling.names === true && MAY_BE_TAKEN_FOR_CODE.test(guard ?? '')) return
          expect(effect, command).toBe('pass')
        }),
        { seed: SEED, numRuns: 40 },
      )
    },
  )
})

describe('a harmless command', () => {
  it('stays harmless inside others, as far as they run it here', async () => {
    const plain = [...INSIDE, ...RUN_BY.filter(({ name }) => ['bash -c', 'eval', 'time'].includes(name))]
    await fc.assert(
      fc.asyncProperty(anyRow, fc.constantFrom(...plain), async (at, spelling) => {
        const command = spelling.spell(pick(passed, at))
        expect(await judge({ command }), command).toMatchObject({ effect: 'pass' })
      }),
      { seed: SEED, numRuns: 600 },
    )
  })
})

describe('any command', () => {
  const harmless = fc.constantFrom('ls -la', 'cd .', 'git status', 'echo ok > /dev/null', 'true && npm test')

  it('is answered the same with harmless ones before and after it', async () => {
    await fc.assert(
      fc.asyncProperty(anyRow, fc.boolean(), harmless, harmless, async (at, isDenied, before, after) => {
        const command = pick(isDenied ? denied : passed, at)
        const effect = isDenied ? 'deny' : 'pass'
        expect(await judge({ command: `${before}\n${command}` }), command).toMatchObject({ effect })
        expect(await judge({ command: `${command}\n${after}` }), command).toMatchObject({ effect })
      }),
      { seed: SEED, numRuns: 600 },
    )
  })
})
