import { eachWord } from '../../../core/word-list.ts'
import { type OptionText, readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun, type Launch, type LaunchCall, type StartedCommand } from '../../vocabulary/launch.ts'
import { concatForms, exactText, type Form, textPiece, type Word } from '../../words/words.ts'
import { PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { each, type ProgramTable } from '../program.ts'

const text = { operands: 'none' } as const

/** Terminals, and multiplexers: a command in a new window, and text typed into an old one. */
export const TERMINALS: ProgramTable = {
  tmux: { starts: tmuxLaunch },
  screen: { starts: screenLaunch },
  ...each<Wrapper>((wraps) => ({ wraps, files: text }), {
    xterm: { ...PLAIN, after: '-e' },
    'alacritty ghostty': { ...PLAIN, after: '-e --command' },
    'konsole uxterm rxvt urxvt st terminator tilix mate-terminal xfce4-terminal': {
      ...PLAIN,
      after: '-e -x --command --execute',
    },
    foot: {
      options: 'c|config= f|font= t|term= T|title= a|app-id= D|working-directory= H|hold',
    },
    kitty: { options: 'c|config= d|directory= T|title= 1|single-instance hold' },
    'gnome-terminal': { ...PLAIN, after: '-- -x' },
  }),
  ...each<Wrapper>((wraps) => ({ wraps }), {
    zellij: {
      options: 's|session= c|config= l|layout=',
      verbs: {
        run: {
          options: 'c|close-on-exit f|floating i|in-place n|name= d|direction= cwd= s|start-suspended',
        },
      },
    },
  }),
}

const WINDOW = 'A a b d D E P X S k f h I v Z B C c= e= F= n= s= t= x= y= l= p= w= T= N'
const KEYS = 'F H K l M R X c= N= t='
const SHELL = 'b C F I O o c= d= t='

interface WindowCommand {
  readonly options: OptionText
  readonly how: 'command' | 'code' | 'keys'
}

const COMMANDS: ReadonlyMap<string, WindowCommand> = new Map<string, WindowCommand>([
  ...eachWord(
    'new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window respawnw',
    { options: WINDOW, how: 'command' },
  ),
  ...eachWord('display-popup popup', { options: WINDOW, how: 'command' }),
  ...eachWord('run-shell run if-shell if pipe-pane pipep', { options: SHELL, how: 'code' }),
  ...eachWord('send-keys send', { options: KEYS, how: 'keys' }),
])

const GLOBAL = '2 C D l N u v V c= f= L= S= T='

function tmuxLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(args, GLOBAL, { stopAtOperand: true })
  const started = valuesOf(read, 'c').map((word) => codeRun(`${name} -c`, word.forms, { shell: 'child' }))
  const runs = [...started, ...splitAt(args.slice(read.operandsAt), ';').flatMap(tmuxRuns)]
  return runs.length === 0 ? undefined : { own: read.operandsAt, runs }
}

function tmuxRuns(words: readonly Word[]): readonly StartedCommand[] {
  const verb = exactText(words[0]) ?? ''
  const command = COMMANDS.get(verb)
  if (command === undefined) return []
  const { operands } = readOptions(words.slice(1), command.options, { stopAtOperand: true })
  const via = `tmux ${verb}`
  if (operands.length === 0) return []
  if (command.how === 'keys') return [codeRun(via, [typed(operands)], { shell: 'child', setting: true })]
  if (command.how === 'code')
    return operands.map((word) => codeRun(via, word.forms, { shell: 'child', setting: true }))
  const [only] = operands
  if (operands.length > 1 || only === undefined) return [{ via, words: operands }]
  return [codeRun(via, only.forms, { shell: 'child' })]
}

function splitAt(words: readonly Word[], mark: string): readonly (readonly Word[])[] {
  const parts: Word[][] = [[]]
  for (const word of words) {
    if (exactText(word) === mark) parts.push([])
    else parts.at(-1)?.push(word)
  }
  return parts
}

const KEY_TEXTS: Readonly<Record<string, string>> = {
  Enter: '\n',
  KPEnter: '\n',
  'C-m': '\n',
  'C-j': '\n',
  Space: ' ',
  Tab: ' ',
}
const KEY_NAMES =
  /^([CMS]-.|F\d+|Up|Down|Left|Right|Escape|BSpace|DC|End|Home|IC|NPage|PageDown|PPage|PageUp|BTab)$/

/** What the keys type. */
function typed(words: readonly Word[]): Form {
  const forms = words.map((word): Form => {
    const text = exactText(word)
    if (text === undefined) return word.forms[0] ?? []
    return [textPiece(KEY_TEXTS[text] ?? (KEY_NAMES.test(text) ? '\n' : text))]
  })
  return concatForms(...forms)
}

const SCREEN = 'A a D d f i L m O q Q R U v X x c= e= h= l= p= r= S= s= t= T= w='

function screenLaunch({ name, args }: LaunchCall): Launch | undefined {
  const read = readOptions(args, SCREEN, { stopAtOperand: true })
  const words = args.slice(read.operandsAt)
  if (words.length === 0) return undefined
  if (!read.options.some((option) => option.name === 'X'))
    return { own: read.operandsAt, runs: [{ via: name, words }] }
  const [verb, ...rest] = words
  if (exactText(verb) === 'stuff') {
    return {
      own: args.length,
      runs: [codeRun(`${name} stuff`, rest[0]?.forms, { shell: 'child', setting: true })],
    }
  }
  const runs =
    ['exec', 'screen'].includes(exactText(verb) ?? '') && rest.length > 0
      ? [{ via: `${name} -X`, words: rest }]
      : []
  return { own: args.length, runs }
}
