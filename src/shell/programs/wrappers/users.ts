import { readOptions, valuesOf } from '../../arguments/options.ts'
import { codeRun, type Input, type Launch, type LaunchCall, launchCode } from '../../vocabulary/launch.ts'
import { exactText, exactWord } from '../../words/words.ts'
import { PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { each, type ProgramTable } from '../program.ts'

const text = { operands: 'none' } as const

/** Programs that run another one as another user. */
export const AS_USER: ProgramTable = {
  ...each<Wrapper>((wraps) => ({ wraps, files: text }), {
    sudo: {
      options: `
      u|user= g|group= h|host= p|prompt= C|close-from= D|chdir= R|chroot= r|role= t|type= T|command-timeout=
      U|other-user= a|auth-type= c|login-class= preserve-env=? A|askpass b|background B|bell E e|edit
      H|set-home i|login k|reset-timestamp K|remove-timestamp l|list n|non-interactive N|no-update
      P|preserve-groups s|shell S|stdin v|validate V|version help
    `,
      assignments: true,
      inert: 'edit list validate version help remove-timestamp',
      folder: 'chdir',
      shell: 'shell login',
    },
    doas: { options: 'u= C= a= n s L', inert: 'L', shell: 's' },
    pkexec: {
      options: 'u|user= disable-internal-agent keep-cwd version help',
      inert: 'version help',
    },
    run0: {
      options:
        'u|user= g|group= D|chdir= nice= setenv= property= slice= description= background= machine= unit=',
      folder: 'chdir',
    },
    'gosu su-exec': { ...PLAIN, operands: 1 },
    setpriv: {
      options: `
      reuid= regid= ruid= euid= rgid= egid= groups= inh-caps= ambient-caps= bounding-set= securebits=
      pdeathsig= selinux-label= apparmor-profile= clear-groups keep-groups init-groups no-new-privs|nnp
      reset-env d|dump
    `,
      inert: 'dump',
    },
    newgrp: { ...PLAIN, operands: 1, shell: true },
  }),
  'su runuser': { starts: suLaunch },
  sg: {
    starts: ({ args }) => {
      const [, flag, code] = args
      const given = exactText(flag) === '-c' ? code : flag
      return given === undefined ? undefined : launchCode(1, codeRun('sg', given.forms, { shell: 'child' }))
    },
  },
  // `capsh … -- -c code`: what follows goes to bash.
  capsh: {
    starts: ({ name, args }) => {
      const at = args.findIndex((word) => exactText(word) === '--')
      return at < 0
        ? undefined
        : { own: at, runs: [{ via: name, words: [exactWord('bash'), ...args.slice(at + 1)] }] }
    },
  },
}

const SU = `
  c|command|session-command= s|shell= g|group= G|supp-group= u|user= w|whitelist-environment= l|login
  m|p|preserve-environment f|fast P|pty T|no-pty
`

/** `su user -c code`, and `runuser -u user -- command`. */
function suLaunch({ name, args, input }: LaunchCall): Launch | undefined {
  const read = readOptions(args, SU)
  const code = valuesOf(read, 'session-command')[0]
  if (code !== undefined)
    return launchCode(args.length, codeRun(`${name} -c`, code.forms, { shell: 'child' }))
  if (valuesOf(read, 'user').length === 0) {
    // What follows `--` and the user goes to the login shell.
    const shell = read.operands.findIndex((word) => exactText(word) === '-c')
    const given = shell < 0 ? undefined : read.operands[shell + 1]
    if (given === undefined) return typedCode(name, args.length, input)
    return launchCode(args.length, codeRun(`${name} -c`, given.forms, { shell: 'child' }))
  }
  const start = readOptions(args, SU, { stopAtOperand: true }).operandsAt
  const words = args.slice(start)
  return words.length === 0 ? undefined : { own: start, runs: [{ via: name, words }] }
}

/** The shell it starts reads what stands on standard input. */
function typedCode(name: string, own: number, { forms, piped }: Input): Launch | undefined {
  if (forms === undefined && !piped) return undefined
  return launchCode(own, codeRun(`${name} (standard input)`, forms, { shell: 'child', takesInput: true }))
}
