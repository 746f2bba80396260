import { isPatch, patchFiles } from '../../core/patch.ts'
import { isCommand, type SimpleCommand } from '../../shell/vocabulary/command.ts'
import { HOLE } from '../../shell/words/gate.ts'
import { type Form, textWithHoles, type Word } from '../../shell/words/words.ts'
import type { Named } from './touched-paths.ts'

/**
 * The files that `apply_patch`, run in a shell, would change. The patch is an argument, a here-document or a
 * here-string. For a patch from a pipe or a file, the whole command line is searched.
 */
export function patchTouches(command: SimpleCommand, line: string): readonly Named[] {
  const runs = PROGRAMS.map((name) => isCommand(command, name))
  if (!runs.includes('yes') && !runs.includes('maybe')) return []
  const patches = givenTo(command).flatMap(patchesIn)
  const elsewhere = patches.length === 0 || patches.some((patch) => patch.includes(HOLE))
  const texts = elsewhere && runs.includes('yes') ? [...patches, ...loosened(line)] : patches
  const paths = new Set(texts.flatMap((text) => patchFiles(text).map((file) => file.path)))
  return [...paths].map((path) => ({
    form: formOf(path),
    source: path.replaceAll(HOLE, '…'),
    access: 'write',
    cwd: command.cwd,
  }))
}

/** The command without its patch arguments, because a patch is not a path. */
export function withoutPatches(command: SimpleCommand): SimpleCommand {
  return { ...command, args: command.args.filter((word) => patchesIn(word).length === 0) }
}

const PROGRAMS = ['apply_patch', 'applypatch']

function givenTo(command: SimpleCommand): readonly Word[] {
  const here = command.redirections.filter(({ operator }) => operator.startsWith('<<'))
  return [...command.args, ...here.map(({ target }) => target)]
}

function patchesIn(word: Word): readonly string[] {
  return word.forms.map(textWithHoles).filter(isPatch)
}

/** The text with every header at the start of a line, once with quotes kept and once with quotes as line ends. */
function loosened(line: string): readonly string[] {
  const text = line.replaceAll('\\n', '\n').replace(/\*{3} (?:Add|Update|Delete|Move) /g, '\n$&')
  return [text, text.replace(/["']/g, '\n')]
}

/** A path in which placeholders stand for parts that are known only at run time. */
function formOf(path: string): Form {
  return path
    .split(HOLE)
    .flatMap(
      (text, index): Form => [
        ...(index === 0 ? [] : [{ kind: 'unknown', text: '…' } as const]),
        ...(text === '' ? [] : [{ kind: 'text', text } as const]),
      ],
    )
}
