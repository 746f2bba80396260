import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Every example for Node, played with the built package: it prints what its README shows. Python's is in test/long. */
const examples = join(import.meta.dirname, '..', '..', 'examples')
const pageOf = (name: string) => readFileSync(join(examples, name, 'README.md'), 'utf8')

const programs = readdirSync(examples).flatMap((name) => {
  const [, file] = new RegExp(`node examples/${name}/(\\S+)`).exec(pageOf(name)) ?? []
  return file === undefined ? [] : [{ name, file }]
})

describe('K-41: the examples', () => {
  it.each(programs)('$name prints what its page shows', ({ name, file }) => {
    const shown = /```text\n([\s\S]*?)```/.exec(pageOf(name))?.[1]
    expect(execFileSync(process.execPath, [join(examples, name, file)], { encoding: 'utf8' })).toBe(shown)
  })

  it('are all run by a test', () => {
    const inPython = readdirSync(examples).filter((name) =>
      pageOf(name).includes(`python3 examples/${name}/`),
    )
    expect([...programs.map(({ name }) => name), ...inPython].sort()).toEqual(readdirSync(examples).sort())
  })
})
