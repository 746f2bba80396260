import type { ArithmeticExpression, TestExpression } from 'unbash'
import { nestedScript } from './commands.ts'
import { mustBePlain } from './hidden.ts'
import { deeper, type ParseState } from './parse-state.ts'
import type { WordTree } from './tree.ts'
import { part, word } from './words.ts'

/** The words of an arithmetic expression, for the commands inside them. */
export function arithmetic(node: ArithmeticExpression | undefined, job: ParseState): readonly WordTree[] {
  if (node === undefined) return []
  job.count.evaluates = true
  const inner = deeper(job)
  if (inner === undefined) return []
  switch (node.type) {
    case 'ArithmeticWord':
      mustBePlain(node.value, job)
      return [{ source: node.value, parts: (node.parts ?? []).flatMap((each) => part(each, true, inner)) }]
    case 'ArithmeticCommandExpansion': {
      const body = nestedScript(node, inner)
      return [
        {
          source: node.text,
          parts: [{ kind: 'commands', how: '$(…)', source: node.text, quoted: true, body }],
        },
      ]
    }
    case 'ArithmeticUnary':
      return arithmetic(node.operand, inner)
    case 'ArithmeticGroup':
      return arithmetic(node.expression, inner)
    case 'ArithmeticBinary':
      return [node.left, node.right].flatMap((each) => arithmetic(each, inner))
    case 'ArithmeticTernary':
      return [node.test, node.consequent, node.alternate].flatMap((each) => arithmetic(each, inner))
  }
}

/** The words of a test between double brackets. */
export function testWords(node: TestExpression, job: ParseState): readonly WordTree[] {
  job.count.evaluates = true
  const inner = deeper(job)
  if (inner === undefined) return []
  switch (node.type) {
    case 'TestUnary':
      return [word(node.operand, inner)]
    case 'TestBinary':
      return [word(node.left, inner), word(node.right, inner)]
    case 'TestLogical':
      return node.operands.flatMap((each) => testWords(each, inner))
    case 'TestNot':
      return testWords(node.operand, inner)
    case 'TestGroup':
      return testWords(node.expression, inner)
  }
}
