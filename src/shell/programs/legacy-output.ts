import { type VariableScope } from '../expand/scope.ts'
import { exactText, type Form, textForm, type Word } from '../words/words.ts'

type Prints = (args: readonly Word[], scope: VariableScope) => readonly Form[] | undefined

export const PRINTS: ReadonlyMap<string, Prints> = new Map<string, Prints>(
  Object.entries({
    git: gitOutput,
  } satisfies Record<string, Prints>),
)

function gitOutput(args: readonly Word[], scope: VariableScope): readonly Form[] | undefined {
  const words = args.map((word) => exactText(word) ?? '?').join(' ')
  // The folder we are in is as good a guess as any, and the right one for whoever is at the top.
  if (words === 'rev-parse --show-toplevel')
    return scope.cwd === undefined ? undefined : [textForm(scope.cwd)]
  return BRANCH_OR_COMMIT.test(words) ? [NAME] : undefined
}

/** Some text that begins with a letter or digit: no option, no path out of here, no `+ref`. */
const NAME: Form = [{ kind: 'glob', text: '[A-Za-z0-9]*' }]
const BRANCH_OR_COMMIT =
  /^(branch --show-current|rev-parse (--short(=\d+)? |--verify |--abbrev-ref )?HEAD|symbolic-ref (-q )?--short HEAD)$/
