import type { RegexEngine } from '../../core/match/pattern.ts'
import type { ShellCondition } from '../../core/rule.ts'
import { readGit } from '../../shell/programs/git/call.ts'
import type { SimpleCommand } from '../../shell/vocabulary/command.ts'
import { lastPart, mayMatch } from '../../shell/words/patterns.ts'
import {
  concatForms,
  exactText,
  exactWord,
  type Form,
  textPiece,
  type Word,
} from '../../shell/words/words.ts'
import type { RuleInput } from './rule-input.ts'
import { compileText, type TextJudge } from './text.ts'
import { andTruth, anyOf, orTruth, type Truth } from './truth.ts'

/** The tests of a command; all of them must match the same command. */
export type CommandJudge = (command: SimpleCommand, ruleInput: RuleInput) => Truth

export function compileShell(condition: ShellCondition, engine: RegexEngine): CommandJudge {
  const judges: CommandJudge[] = []
  const add = (tests: ShellCondition['command'], judge: (text: TextJudge) => CommandJudge) => {
    if (tests !== undefined) judges.push(judge(compileText(tests, engine)))
  }
  add(condition.command, (text) => (command, ruleInput) => nameOf(command, text, ruleInput))
  add(condition.subcommand, (text) => (command, ruleInput) => subcommandOf(command, text, ruleInput))
  add(condition.flag, (text) => (command, ruleInput) => flagOf(command, text, ruleInput))
  add(condition.argument, (text) => (command, ruleInput) => argumentOf(command, text, ruleInput))
  return (command, ruleInput) => {
    // Only variables are set: nothing runs.
    if (command.name === '') return 'no'
    let truth: Truth = 'yes'
    for (const judge of judges) {
      truth = andTruth(truth, judge(command, ruleInput))
      if (truth === 'no') break
    }
    // What it will run in turn may be anything, also what the rule is about.
    return command.opaque === undefined ? truth : orTruth(truth, 'maybe')
  }
}

/** By its name, or as it was written with its folder. */
function nameOf(command: SimpleCommand, text: TextJudge, ruleInput: RuleInput): Truth {
  if (command.name !== undefined) {
    const written = exactText(command.word)
    const names = written === undefined || written === command.name ? [command.name] : [command.name, written]
    return anyOf(names, (name) => text.text(name, ruleInput))
  }
  const forms = command.word.forms
  return anyOf([...forms, ...forms.map(lastPart)], (form) =>
    text.form(form, ruleInput) === 'no' ? 'no' : 'maybe',
  )
}

/**
 * The first word that is not an option. A word after an option may be its value: it is then uncertain which of the two
 * words is the subcommand, and both are tested. Two or three words can be meant together (`pr merge`).
 */
function subcommandOf(command: SimpleCommand, text: TextJudge, ruleInput: RuleInput): Truth {
  if (command.name === 'git') {
    const call = readGit(command.args, { cwd: command.cwd, home: ruleInput.facts.home })
    return call.verb === undefined ? 'no' : startOf([call.verb, ...call.args], text, ruleInput)
  }
  let truth: Truth = 'no'
  let certain = true
  for (const [index, word] of command.args.entries()) {
    const before = exactText(command.args[index - 1])
    const known = exactText(word)
    if (known === undefined || word.splits) {
      // It may be an option, the subcommand or nothing.
      truth = orTruth(truth, text.word(word, ruleInput) === 'no' && !word.splits ? 'no' : 'maybe')
      certain = false
      continue
    }
    if (known.startsWith('-') && known !== '-') continue
    const here = startOf(command.args.slice(index), text, ruleInput)
    truth = orTruth(truth, certain ? here : here === 'no' ? 'no' : 'maybe')
    const mayBeValue = before !== undefined && takesValue(before)
    if (!mayBeValue) return truth
    // No longer certain: this word or the next.
    certain = false
    truth = truth === 'yes' ? 'maybe' : truth
  }
  return truth
}

function takesValue(before: string): boolean {
  return before.startsWith('-') && before !== '--' && !before.includes('=')
}

const WORDS_TOGETHER_MAX = 3

/**
 * The words from this position, alone and joined by spaces. Options between them are skipped (`gh pr -R a/b merge`); the
 * word after one may be its value or the next word, so both are tested, and neither is certain.
 */
function startOf(words: readonly Word[], text: TextJudge, ruleInput: RuleInput): Truth {
  const first = words[0]
  if (first === undefined) return 'no'
  let truth = text.word(first, ruleInput)
  const follow = (before: readonly Form[], from: number, joined: number, isCertain: boolean): void => {
    let certain = isCertain
    let mayBeValue = false
    for (const [index, word] of words.slice(0, WORDS_READ_MAX).entries()) {
      if (index < from) continue
      const known = exactText(word)
      if (known?.startsWith('-') && known !== '-') {
        mayBeValue = takesValue(known)
        continue
      }
      const forms = before.flatMap((form) =>
        word.forms.map((next) => concatForms(form, [textPiece(' ')], next)),
      )
      if (forms.length > FORMS_MAX) {
        truth = orTruth(truth, 'maybe')
        return
      }
      const here = text.word({ source: '', forms, splits: false }, ruleInput)
      truth = orTruth(truth, (certain && !mayBeValue) || here === 'no' ? here : 'maybe')
      if (joined + 1 < WORDS_TOGETHER_MAX) follow(forms, index + 1, joined + 1, certain && !mayBeValue)
      if (!mayBeValue) return
      certain = false
      mayBeValue = false
    }
    if (words.length > WORDS_READ_MAX) {
      const any = before.map((form) => concatForms(form, [textPiece(' '), { kind: 'unknown', text: '…' }]))
      truth = orTruth(truth, text.word({ source: '', forms: any, splits: false }, ruleInput))
    }
  }
  follow(first.forms, 1, 1, true)
  return truth
}

/** In a longer line of options, the next word is not looked for: it may be any word. */
const WORDS_READ_MAX = 64
const FORMS_MAX = 32

/** An option by its name: without its value, each letter of a bundle, and long names that may be abbreviations. */
function flagOf(command: SimpleCommand, text: TextJudge, ruleInput: RuleInput): Truth {
  let truth: Truth = 'no'
  let certain = true
  for (const word of command.args) {
    const known = word.splits ? undefined : exactText(word)
    if (known === '--') return truth
    const here = known === undefined ? unknownFlag(word, text, ruleInput) : knownFlag(known, text, ruleInput)
    truth = orTruth(truth, certain || here === 'no' ? here : 'maybe')
    if (truth === 'yes') return truth
    // A word that may be `--` may make everything after it an operand.
    if (known === undefined && (word.splits || word.forms.some((form) => mayMatch(form, '--'))))
      certain = false
  }
  return truth
}

function unknownFlag(word: Word, text: TextJudge, ruleInput: RuleInput): Truth {
  if (word.splits) return 'maybe'
  return anyOf(word.forms, (form) => {
    const head = form[0]?.kind === 'text' ? form[0].text : ''
    if (head !== '' && !head.startsWith('-')) return 'no'
    // `-$X` may be any bundle.
    if (head === '' || /^-[A-Za-z]*$/.test(head)) return 'maybe'
    const name: Form = head.includes('=') ? [beforeEquals(head)] : form
    return anyOf([form, name], (each) => text.form(each, ruleInput)) === 'no' ? 'no' : 'maybe'
  })
}

function beforeEquals(text: string): Form[number] {
  return textPiece(text.split('=', 1)[0] ?? text)
}

function knownFlag(word: string, text: TextJudge, ruleInput: RuleInput): Truth {
  if (!word.startsWith('-') || word === '-') return 'no'
  const name = word.split('=', 1)[0] ?? word
  const whole = anyOf([word, name], (each) => text.text(each, ruleInput))
  if (whole === 'yes') return whole
  if (name.startsWith('--')) {
    // Many programs take the beginning of a long name for the name.
    const longer: Form = [textPiece(name), { kind: 'unknown', text: '…' }]
    return name.length > 3 ? orTruth(whole, text.form(longer, ruleInput)) : whole
  }
  const [first = '', ...rest] = name.slice(1, 1 + BUNDLE_MAX)
  const bundled = anyOf(rest, (letter) => (text.text(`-${letter}`, ruleInput) === 'no' ? 'no' : 'maybe'))
  return orTruth(whole, orTruth(text.text(`-${first}`, ruleInput), bundled))
}

const BUNDLE_MAX = 32

/** Every argument, the value of `--name=value`, and the variables that are set for the command. */
function argumentOf(command: SimpleCommand, text: TextJudge, ruleInput: RuleInput): Truth {
  const set = command.assignments.map(({ name, value }): Word => {
    const forms = value.forms.map((form) => concatForms([textPiece(`${name}=`)], form))
    return { ...value, forms }
  })
  return anyOf([...set, ...command.args].flatMap(withValue), (word) => splitTruth(word, text, ruleInput))
}

function withValue(word: Word): readonly Word[] {
  const known = exactText(word)
  const at = known?.indexOf('=') ?? -1
  return known === undefined || at < 0 ? [word] : [word, exactWord(known.slice(at + 1))]
}

/** A word that may become several: it is uncertain that its whole text is one of them. */
function splitTruth(word: Word, text: TextJudge, ruleInput: RuleInput): Truth {
  const truth = text.word(word, ruleInput)
  return word.splits && truth !== 'maybe' ? (exactText(word) === undefined ? 'maybe' : truth) : truth
}
