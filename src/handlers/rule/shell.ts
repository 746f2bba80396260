import type { RegexEngine } from '../../pattern.ts'
import type { SimpleCommand } from '../../shell/command.ts'
import { readGit } from '../../shell/git.ts'
import { lastPart, mayMatch } from '../../shell/patterns.ts'
import { concatForms, exactText, exactWord, type Form, textPiece, type Word } from '../../shell/words.ts'
import type { ShellCondition } from '../rule.ts'
import type { Scene } from './scene.ts'
import { compileText, type TextJudge } from './text.ts'
import { anyOf, both, either, type Truth } from './truth.ts'

/** What a command is asked; all of it must hold for the same command. */
export type CommandJudge = (command: SimpleCommand, scene: Scene) => Truth

export function compileShell(condition: ShellCondition, engine: RegexEngine): CommandJudge {
  const judges: CommandJudge[] = []
  const add = (tests: ShellCondition['command'], judge: (text: TextJudge) => CommandJudge) => {
    if (tests !== undefined) judges.push(judge(compileText(tests, engine)))
  }
  add(condition.command, (text) => (command, scene) => nameOf(command, text, scene))
  add(condition.subcommand, (text) => (command, scene) => subcommandOf(command, text, scene))
  add(condition.flag, (text) => (command, scene) => flagOf(command, text, scene))
  add(condition.argument, (text) => (command, scene) => argumentOf(command, text, scene))
  return (command, scene) => {
    // Only variables are set: nothing runs.
    if (command.name === '') return 'no'
    let truth: Truth = 'yes'
    for (const judge of judges) {
      truth = both(truth, judge(command, scene))
      if (truth === 'no') break
    }
    // What it will run in turn may be anything, also what the rule is about.
    return command.opaque === undefined ? truth : either(truth, 'maybe')
  }
}

/** By its bare name, or as it was written with its folder. */
function nameOf(command: SimpleCommand, text: TextJudge, scene: Scene): Truth {
  if (command.name !== undefined) {
    const written = exactText(command.word)
    const names = written === undefined || written === command.name ? [command.name] : [command.name, written]
    return anyOf(names, (name) => text.text(name, scene))
  }
  const forms = command.word.forms
  return anyOf([...forms, ...forms.map(lastPart)], (form) =>
    text.form(form, scene) === 'no' ? 'no' : 'maybe',
  )
}

/**
 * The first word that is no option. What follows an option may be its value: then it is not certain which of the
 * two words is the subcommand, and both are asked. Two or three words can be meant together (`pr merge`).
 */
function subcommandOf(command: SimpleCommand, text: TextJudge, scene: Scene): Truth {
  if (command.name === 'git') {
    const call = readGit(command.args, { cwd: command.cwd, home: scene.facts.home })
    return call.verb === undefined ? 'no' : startOf([call.verb, ...call.args], text, scene)
  }
  let truth: Truth = 'no'
  let certain = true
  for (const [index, word] of command.args.entries()) {
    const before = exactText(command.args[index - 1])
    const known = exactText(word)
    if (known === undefined || word.splits) {
      // It may be an option, the subcommand or nothing.
      truth = either(truth, text.word(word, scene) === 'no' && !word.splits ? 'no' : 'maybe')
      certain = false
      continue
    }
    if (known.startsWith('-') && known !== '-') continue
    const here = startOf(command.args.slice(index), text, scene)
    truth = either(truth, certain ? here : here === 'no' ? 'no' : 'maybe')
    const mayBeValue = before !== undefined && takesValue(before)
    if (!mayBeValue) return truth
    // Certain no longer: this word or the next.
    certain = false
    truth = truth === 'yes' ? 'maybe' : truth
  }
  return truth
}

function takesValue(before: string): boolean {
  return before.startsWith('-') && before !== '--' && !before.includes('=')
}

const WORDS_TOGETHER_MAX = 3

/** The words from here on, alone and joined by blanks. */
function startOf(words: readonly Word[], text: TextJudge, scene: Scene): Truth {
  const first = words[0]
  if (first === undefined) return 'no'
  let truth = text.word(first, scene)
  let forms: readonly Form[] = first.forms
  for (const word of words.slice(1, WORDS_TOGETHER_MAX)) {
    if (exactText(word)?.startsWith('-')) break
    forms = forms.flatMap((form) => word.forms.map((next) => concatForms(form, [textPiece(' ')], next)))
    if (forms.length > FORMS_MAX) return either(truth, 'maybe')
    truth = either(truth, text.word({ source: '', forms, splits: false }, scene))
  }
  return truth
}

const FORMS_MAX = 32

/** An option by its name: without its value, each letter of a bundle, and long names that may be short for it. */
function flagOf(command: SimpleCommand, text: TextJudge, scene: Scene): Truth {
  let truth: Truth = 'no'
  let certain = true
  for (const word of command.args) {
    const known = word.splits ? undefined : exactText(word)
    if (known === '--') return truth
    const here = known === undefined ? unknownFlag(word, text, scene) : knownFlag(known, text, scene)
    truth = either(truth, certain || here === 'no' ? here : 'maybe')
    if (truth === 'yes') return truth
    // What may be `--` may make everything after it an operand.
    if (known === undefined && (word.splits || word.forms.some((form) => mayMatch(form, '--'))))
      certain = false
  }
  return truth
}

function unknownFlag(word: Word, text: TextJudge, scene: Scene): Truth {
  if (word.splits) return 'maybe'
  return anyOf(word.forms, (form) => {
    const head = form[0]?.kind === 'text' ? form[0].text : ''
    if (head !== '' && !head.startsWith('-')) return 'no'
    // `-$X` may be any bundle.
    if (head === '' || /^-[A-Za-z]*$/.test(head)) return 'maybe'
    const name: Form = head.includes('=') ? [beforeEquals(head)] : form
    return anyOf([form, name], (each) => text.form(each, scene)) === 'no' ? 'no' : 'maybe'
  })
}

function beforeEquals(text: string): Form[number] {
  return textPiece(text.split('=', 1)[0] ?? text)
}

function knownFlag(word: string, text: TextJudge, scene: Scene): Truth {
  if (!word.startsWith('-') || word === '-') return 'no'
  const name = word.split('=', 1)[0] ?? word
  const whole = anyOf([word, name], (each) => text.text(each, scene))
  if (whole === 'yes') return whole
  if (name.startsWith('--')) {
    // Many programs take the beginning of a long name for the name.
    const longer: Form = [textPiece(name), { kind: 'unknown', text: '' }]
    return name.length > 3 ? either(whole, text.form(longer, scene)) : whole
  }
  const [first = '', ...rest] = name.slice(1, 1 + BUNDLE_MAX)
  const bundled = anyOf(rest, (letter) => (text.text(`-${letter}`, scene) === 'no' ? 'no' : 'maybe'))
  return either(whole, either(text.text(`-${first}`, scene), bundled))
}

const BUNDLE_MAX = 32

/** Every argument, the value of `--name=value`, and the variables set for the command alone. */
function argumentOf(command: SimpleCommand, text: TextJudge, scene: Scene): Truth {
  const set = command.assignments.map(({ name, value }): Word => {
    const forms = value.forms.map((form) => concatForms([textPiece(`${name}=`)], form))
    return { ...value, forms }
  })
  return anyOf([...set, ...command.args].flatMap(withValue), (word) => splitTruth(word, text, scene))
}

function withValue(word: Word): readonly Word[] {
  const known = exactText(word)
  const at = known?.indexOf('=') ?? -1
  return known === undefined || at < 0 ? [word] : [word, exactWord(known.slice(at + 1))]
}

/** A word that may become several: its whole text is none of them for certain. */
function splitTruth(word: Word, text: TextJudge, scene: Scene): Truth {
  const truth = text.word(word, scene)
  return word.splits && truth !== 'maybe' ? (exactText(word) === undefined ? 'maybe' : truth) : truth
}
