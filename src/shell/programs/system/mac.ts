import { readOptions, valuesOf } from '../../arguments/options.ts'
import type { ActEffect, FileEffect } from '../../vocabulary/effect.ts'
import type { Launch, LaunchCall } from '../../vocabulary/launch.ts'
import { concatForms, exactText, exactWord, type Form, textPiece, type Word } from '../../words/words.ts'
import { writes } from '../files/writing.ts'
import { each, type ProgramCall, type ProgramTable } from '../program.ts'
import { CHANGE_KERNEL, CHANGE_USERS, PROTECTION, PROTECTION_OFF, SCHEDULE, SHUT_DOWN } from './acts.ts'
import { when } from './machine.ts'

const changing = (what: ActEffect) => (words: RegExp) => ({ does: when(words, what) })

const textsOf = ({ command }: ProgramCall): readonly string[] =>
  command.args.map((word) => exactText(word) ?? '?')

/** A domain with a slash is a file: `defaults write ~/Library/LaunchAgents/com.example.x RunAtLoad -bool true`. */
function domainChanged({ command: { args, cwd } }: ProgramCall): readonly FileEffect[] {
  const words = args.map((word) => exactText(word) ?? '?')
  const at = words.findIndex((text) => /^(?:write|delete|rename|import)$/.test(text))
  const domain = at < 0 ? undefined : args[at + 1]
  if (domain === undefined || !pieces(domain).some((form) => form.includes('/'))) return []
  return writes({ ...domain, forms: domain.forms.map(withEnding) }, cwd)
}

function withEnding(form: Form): Form {
  const last = form.at(-1)
  return last?.kind === 'text' && last.text.endsWith('.plist')
    ? form
    : concatForms(form, [textPiece('.plist')])
}

function pieces(word: Word): readonly string[] {
  return word.forms.map((form) => form.map(({ text }) => text).join(''))
}

/** Without `-o`, plutil writes the file that it reads. */
function propertiesChanged(call: ProgramCall): readonly FileEffect[] {
  const { args, cwd } = call.command
  const words = textsOf(call)
  const at = words.findIndex((text) => /^-(?:convert|insert|replace|remove|extract|create)$/.test(text))
  if (at < 0 || (words[at] === '-extract' && words[at + 2] === 'raw')) return []
  const out = args[words.lastIndexOf('-o') + 1]
  if (words.includes('-o')) return out === undefined || exactText(out) === '-' ? [] : writes(out, cwd)
  const files = words[at] === '-convert' ? args.slice(at + 2) : args.slice(-1)
  const named = files.filter((word, index) => {
    const before = exactText(files[index - 1])
    return !/^-/.test(exactText(word) ?? '') && before !== '-e'
  })
  return named.flatMap((word) => writes(word, cwd))
}

const BUDDY = /^(?:Add|Set|Delete|Copy|Merge|Import|Clear|Save|Revert)\b/i

/** Without `-c` it takes its commands from standard input: what they are is not known. */
function buddyChanged(call: ProgramCall): readonly FileEffect[] {
  const read = readOptions(call.command.args, 'c= x h')
  const [file] = read.operands
  if (file === undefined) return []
  const commands = valuesOf(read, 'c').map((word) => exactText(word) ?? 'Set')
  if (commands.length === 0) {
    const doubt = 'its commands come from standard input'
    return writes(file, call.command.cwd).map((effect) => ({ ...effect, unsure: doubt }))
  }
  return commands.some((text) => BUDDY.test(text.trim())) ? writes(file, call.command.cwd) : []
}

const OPEN = `
  a= b= s= u= i|stdin= o|stdout= stderr= env= arch= e t f F R|reveal n|new g|background j|hide h|header W|wait-apps
`
/** Files that Terminal runs when they are opened. */
const RUNS_WHEN_OPENED = /\.(?:command|tool|terminal)$/i
const SCRIPT = /\.(?:command|tool|terminal|sh|bash|zsh|py|rb|pl)$/i
/** By their names, their paths and their ids: `com.apple.terminal`, `com.googlecode.iterm2`. */
const TERMINALS =
  /(?:^|[./])(?:terminal|iterm2?|warp(?:-stable)?|ghostty|alacritty|kitty|hyper|wezterm)(?:\.app)?$/i

interface Opened {
  readonly files: readonly Word[]
  /** The application, and what it is given behind `--args`. */
  readonly started: readonly Word[]
}

/** What `open` starts in a window of its own, out of the reach of the session. */
function openedBy(args: readonly Word[]): Opened {
  const at = args.findIndex((word) => exactText(word) === '--args')
  const read = readOptions(at < 0 ? args : args.slice(0, at), OPEN)
  const apps = valuesOf(read, 'a', 'b').map((word) => exactText(word) ?? '')
  const shows = read.options.some(({ name }) => ['e', 't', 'reveal', 'header'].includes(name))
  const inTerminal = apps.some((app) => TERMINALS.test(app))
  const runs = inTerminal ? SCRIPT : RUNS_WHEN_OPENED
  const isRun = !shows && (apps.length === 0 || inTerminal)
  const [app = ''] = apps
  const program = app.replace(/^.*\/|\.app$/gi, '').toLowerCase()
  return {
    files: isRun ? read.operands.filter((word) => pieces(word).some((text) => runs.test(text))) : [],
    started: at < 0 || !/^[\w.-]+$/.test(program) ? [] : [exactWord(program), ...args.slice(at + 1)],
  }
}

function openLaunch({ name, args }: LaunchCall): Launch | undefined {
  const { files, started } = openedBy(args)
  const runs = [...files.map((file) => [file]), ...(started.length === 0 ? [] : [started])]
  return runs.length === 0
    ? undefined
    : { own: args.length, runs: runs.map((words) => ({ via: name, words })) }
}

const OPENED = { ...SCHEDULE, what: 'runs a script in a window of its own, which nobody supervises' }
const LOGIN = { ...SCHEDULE, what: 'makes a command run whenever somebody logs in or out' }
const UNCHECKED = {
  ...PROTECTION,
  what: 'takes away the mark by which macOS checks a downloaded program before it runs',
}

/** A property list that other programs obey is written, so it is a file like any other. */
const SETTINGS: ProgramTable = {
  defaults: {
    does: domainChanged,
    lines: [
      [LOGIN, /\bwrite\b.*\bLog(?:in|out)Hook\b/i],
      [
        PROTECTION_OFF,
        /\bwrite\b.*(?:LSQuarantine|AutomaticCheckEnabled|CriticalUpdateInstall|globalstate|askForPassword\b.*\b(?:0|false|no)\b)/i,
      ],
    ],
  },
  plutil: { does: propertiesChanged, files: { ownLetters: true } },
  PlistBuddy: { does: buddyChanged },
}

/** macOS: its settings, what it checks before it runs a program, its network and its disks. */
export const MAC: ProgramTable = {
  ...SETTINGS,
  open: {
    does: ({ command }) => (openedBy(command.args).files.length > 0 ? [OPENED] : []),
    starts: openLaunch,
  },
  xattr: {
    does: when(/ -\w*c\w* | -\w*[dw]\w* (?:-\w+ )*com\.apple\.quarantine /, UNCHECKED),
  },
  ...each(changing(PROTECTION), {
    socketfilterfw: / --(?:set\w+|add|remove|blockapp|unblockapp) /,
    spctl:
      / --(?:(?:master|global)-disable|add|remove|disable|reset-default) | developer-mode (?:en|dis)able-\S+ | kext-consent (?:disable|add|remove) /,
    systemextensionsctl: / (?:uninstall|reset|developer on) /,
    profiles: / (?:install|remove|renew) | -[IRDN] /,
    // For one program it only asks again.
    tccutil: / reset \S+ $/,
    kickstart: / -(?:activate|deactivate|configure|restart|uninstall|stop) /,
  }),
  fdesetup: {
    lines: [[PROTECTION_OFF, /^(?:disable|remove|removerecovery|changerecovery|authrestart)\b/]],
  },
  ...each(changing(CHANGE_KERNEL), {
    networksetup:
      / -set(?:airportpower \S+|networkserviceenabled \S+|\w*proxystate \S+) off | -(?:set(?:dnsservers|searchdomains|\w*proxy|autoproxyurl|manual\w*|dhcp|bootp|additionalroutes|v4off|v6\w+|airportnetwork)|removenetworkservice|deletelocation|switchtolocation|removepreferredwirelessnetwork|removeallpreferredwirelessnetworks) /i,
    scutil: / --set /,
    systemsetup: / -set\w+ /i,
    'kextload kextutil': /\S/,
    kmutil: / (?:load|unload|install|configure-boot|trigger-panic-medic) /,
    bless: /^(?!.* --?(?:info|getBoot) ).* --?(?:setBoot|nextonly|netboot|unbless) /i,
  }),
  ...each(changing(SHUT_DOWN), {
    pmset: / sleepnow | (?:schedule|repeat) (?:shutdown|restart|sleep|poweroff)/,
  }),
  ...each(changing(CHANGE_USERS), {
    dsenableroot: /^/,
    pwpolicy: / -?(?:set|clear|delete|disable|enable)\w* /,
  }),
}
