import { expect, it } from 'vitest'
import { tomlProblem } from './toml-shape.ts'

it.each([
  '',
  '\n\n# only a comment',
  'a = 1',
  'default_model = "k2"\r\n[providers."moonshot"]\r\nkey = \'x\' # why\r\n',
  '[[hooks]]\nevent = "Stop"\ncommand = "\\"a\\" # b"\ntimeout = 5\n\n[a.b]\nc.d = true\n',
  'list = [\n  "a", # one\n  { b = 1, c = [2, 3] },\n]\n',
  'text = """\nfirst "quoted"\nsecond\\\n"""\nother = \'\'\'\nit\'s\n\'\'\'\n',
  'quoted = """a""""\nnone = ""\n',
  'when = 1979-05-27 07:32:00Z\nsmall = 1e-5\nendless = -inf\n',
  '\uFEFFa = 1\n',
])('has nothing to say about %j', (text) => expect(tomlProblem(text)).toBeUndefined())

it.each([
  ['a = 1\nnot settings', 2],
  ['[]\n', 1],
  ['{"a": 1}', 1],
  ['[table\na = 1\n', 1],
  ['[[hooks]]\nevent = "Stop', 2],
  ['[[hooks]]\nevent =', 2],
  ['[[hooks]]\nevent', 2],
  ['a = [1,\n2', 1],
  ['a = { b = 1\n', 1],
  ['\na = """\nopen', 2],
  ['a = 1 2', 1],
  ['a = [1}', 1],
])('names the line in which %j goes wrong', (text, line) =>
  expect(tomlProblem(text)).toEqual({ line, why: expect.any(String) }),
)

it('takes no longer for a long text than for its length', () => {
  const text = `${'a = """b"""\n'.repeat(20_000)}c = "${'\\"'.repeat(50_000)}"\n`
  expect(tomlProblem(text)).toBeUndefined()
  expect(tomlProblem(`${text}d = "${'\\"'.repeat(50_000)}`)).toMatchObject({ line: 20_002 })
})
