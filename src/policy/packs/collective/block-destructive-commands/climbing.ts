import { effectsOf } from '../../../../shell/effects.ts'
import { type FileEffect, isFileEffect } from '../../../../shell/vocabulary/effect.ts'
import { exactText, type Word } from '../../../../shell/words/words.ts'
import { patternGuard, textsOf } from './command-guard.ts'

const CLIMB = /(?:^|[/=:])\.\.\/+\.\.\/+\.\.(?:\/|$)/

/** A path that goes up three or more folders, anywhere in a command. */
export const climbing = patternGuard({
  id: 'collective/block-destructive-commands/climbing',
  title: 'Path with ../../.. that leaves the project',
  why: 'A path that goes up three folders usually leaves the project, and a mistake in the number of folders is easy to overlook.',
  instead: 'write the path relative to the root of the project, or write the absolute path.',
  mentions: /\.\.\/+\.\./,
  maybe: 'may leave the project',
  examples: {
    stops: [
      'cat ../../../etc/passwd',
      'cd ../../..',
      'ls ../../..',
      'cp notes.md ../../../notes.md',
      'cat < ../../../notes.md',
      'echo x > ../../../notes.md',
      '../../../bin/tool',
      'git -C ../../.. status',
      'tar -C ../../.. -xf a.tar',
      'P=../../../x; cat $P',
      'cat src/../../../../x',
      'cat "../".."/../"x',
      'rm ../../../notes.md',
      'grep -r foo ../../..',
      'node ../../../script.js',
    ],
    passes: [
      'cat ../../README.md',
      'cd ..',
      'cat ../x ../y ../z',
      'cat a../../b',
      'echo ../../..',
      'printf "%s" ../../../x',
      'git commit -m "fix ../../../path"',
      'grep -rn "../../.." src',
      "sed 's#../../../lib#@lib#' src/a.ts",
      'ls # ../../..',
      'npm test',
      'cat ..../x',
    ],
  },
  find(command, { facts }) {
    const files = effectsOf([command], facts.home).flatMap(({ effect }) =>
      isFileEffect(effect) && !isPattern(command.name, effect)
        ? [effect.source, ...textsOf(wordOf(effect))]
        : [],
    )
    const places = [...textsOf(command.word), ...folderOption(command.name, command.args)]
    const climb = [...files, ...places].find((text) => CLIMB.test(text))
    return climb === undefined
      ? undefined
      : { caught: `goes up three or more folders (${climb.slice(0, 80)})` }
  },
})

/** The pattern argument of a search program is only searched for. */
function isPattern(name: string | undefined, { kind }: FileEffect): boolean {
  return kind === 'metadata' && /^(?:[efz]?grep|rg|ag|ack)$/.test(name ?? '')
}

function wordOf({ form, source }: { readonly form: Word['forms'][number]; readonly source: string }): Word {
  return { source, forms: [form], splits: false }
}

/** The folder that git works in is not a file that git reads or writes. */
function folderOption(name: string | undefined, args: readonly Word[]): readonly string[] {
  if (name !== 'git') return []
  const at = args.findIndex((word) => exactText(word) === '-C')
  const folder = at < 0 ? undefined : args[at + 1]
  return folder === undefined ? [] : textsOf(folder)
}
