import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from '../../src/shell/grammar/parse.ts'
import { gate } from '../../src/shell/words/gate.ts'
import { createJudge, isFlagged, type Judge } from '../corpus/judge.ts'
import { type Row, readFamilies } from '../corpus/rows.ts'
import { AS_DATA, INSIDE, RUN_BY, type Spelling } from './disguises.ts'

/**
 * What is true for one row of the corpus is true for it in every disguise. Rows that fail in the corpus already are
 * left out.
 */
const SEED = 20_260_115

/** A name in the strings of another language may count as a file, and a complete reverse shell in them as one. */
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

/** True if the whole line can be put into another one. A row with its own folder or system would lose it. */
function isWholeLine({ command, cwd, platform }: Row): boolean {
  return (
    command !== undefined &&
    (cwd ?? platform) === undefined &&
    gate(command) === undefined &&
    parse(command).ok
  )
}

async function commandsThat(rows: readonly Row[], effect: 'deny' | 'pass'): Promise<readonly string[]> {
  const commands: string[] = []
  for (const row of rows.filter((each) => each.expect === effect)) {
    if ((await judge(row)).effect === effect) commands.push(row.command ?? '')
  }
  return commands
}

/** Picks a command by a number that does not depend on how many there are today. */
const pick = (commands: readonly string[], at: number) => commands[at % commands.length] ?? ''
const anyRow = fc.nat({ max: 1_000_000 })
const layers = fc.array(fc.constantFrom(...RUN_BY, ...INSIDE), { minLength: 1, maxLength: 3 })

function dressed(command: string, spellings: readonly Spelling[]): string {
  return spellings.reduce((text, spelling) => spelling.spell(text), command)
}

describe('a denied command of the corpus', () => {
  it('is one of many hundreds', () => {
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

  it('stays flagged in up to three nested disguises', async () => {
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

describe('a harmless command of the corpus', () => {
  it('stays harmless in disguises that run it in the same place', async () => {
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

describe('any command of the corpus', () => {
  const harmless = fc.constantFrom('ls -la', 'cd .', 'git status', 'echo ok > /dev/null', 'true && npm test')

  it('gets the same answer with harmless commands before and after it', async () => {
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
