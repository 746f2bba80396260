import { optionTable } from '../../arguments/options.ts'
import { certainly, isGiven, strongerOf, type VerbProgram, type VerbRule } from '../../arguments/verbs.ts'
import type { Program } from '../program.ts'
import { FOREIGN, REMOVE_PACKAGE } from './acts.ts'

const OPTIONS = optionTable(`
  o|option= c|config-file= t|target-release|default-release= a|host-architecture= root= arch= enablerepo=
  disablerepo= x|exclude= installroot= setopt= releasever= d e R C s|simulate|just-print|dry-run|no-act|recon
  n|dry-run y|yes|assume-yes|assumeyes q|quiet m f|force purge auto-remove help version assumeno print test
  all unused cask formula zap delete-data erase unmerge depclean p|pretend remove r|remove P|purge l i L S Q
`)

function remover(...verbs: readonly string[]): VerbProgram {
  return withRules(verbs.map((each) => ({ verbs: each, act: REMOVE_PACKAGE })))
}

function withRules(rules: readonly VerbRule[]): VerbProgram {
  return {
    options: OPTIONS,
    inert: ['help', 'version', 'assumeno', 'print', 'test'],
    dryRun: ['dry-run', 'recon', 'pretend'],
    harmless: ['install', 'update', 'upgrade', 'list', 'search', 'show', 'info'],
    rules,
  }
}

const APT = remover('remove|purge|autoremove|autopurge')
const DNF = remover('remove|erase|autoremove|rm')
/** `-R`, `-Rns` and `--remove` are what a verb is elsewhere. */
const byOption = (...names: readonly string[]): VerbProgram => {
  const options = optionTable(`
    s simulate no-act dry-run p|print|pretend test n u c v|verbose a d noconfirm R|remove|r P|purge
    e|erase|uninstall C|unmerge depclean h|help version root= dbpath= y S Q i l L F U q f k nodeps G w
    delete-old delete-generations=
  `)
  const when: VerbRule['when'] = ({ read }) =>
    strongerOf(...names.map((name) => isGiven({ ...read, doubtful: [] }, name)))
  const inert = ['help', 'version', 'simulate', 'no-act', 'dry-run', 'pretend', 'test', 'print']
  return { options, inert, rules: [{ verbs: '', act: REMOVE_PACKAGE, when }] }
}

/** Programs that install software for the whole machine. */
export const SYSTEM_PACKAGES: readonly Program[] = [
  { names: 'apt apt-get aptitude nala', acts: APT },
  {
    names: 'dnf yum zypper',
    acts: DNF,
    lines: [[FOREIGN, /(?:\binstall\b|-[a-zA-Z]*[iU]\b).*\s(?:https?|ftp):/]],
  },
  { names: 'microdnf', acts: DNF },
  {
    names: 'apk',
    acts: remover('del'),
    lines: [[FOREIGN, /\badd\b.*--allow-untrusted|\badd\b.*(?:-X|--repository)[ =]http/]],
  },
  { names: 'pkg', acts: remover('delete|remove|autoremove|uninstall') },
  { names: 'snap', acts: remover('remove'), lines: [[FOREIGN, /\binstall\b.*--dangerous/]] },
  { names: 'flatpak', acts: remover('uninstall|remove') },
  {
    names: 'brew',
    acts: remover('uninstall|remove|rm|autoremove'),
    lines: [[FOREIGN, /^(?:install|reinstall|upgrade)\b.*\shttps?:|^tap\s+\S+\s+(?:https?:|git@)/]],
  },
  { names: 'port', acts: remover('uninstall') },
  { names: 'choco', acts: remover('uninstall') },
  { names: 'winget', acts: remover('uninstall|remove|rm') },
  { names: 'scoop', acts: remover('uninstall') },
  { names: 'dpkg', acts: byOption('r', 'purge') },
  {
    names: 'rpm',
    acts: byOption('uninstall'),
    lines: [[FOREIGN, /(?:\binstall\b|-[a-zA-Z]*[iU]\b).*\s(?:https?|ftp):/]],
  },
  { names: 'pacman yay paru', acts: byOption('r') },
  { names: 'emerge', acts: byOption('unmerge', 'depclean') },
  { names: 'nix-env', acts: byOption('uninstall') },
  {
    names: 'nix-collect-garbage',
    acts: {
      options: optionTable('d|delete-old delete-older-than= dry-run help'),
      dryRun: ['dry-run'],
      rules: [
        {
          verbs: '',
          act: REMOVE_PACKAGE,
          when: ({ read }) => certainly(isGiven(read, 'delete-old') === 'yes'),
        },
      ],
    },
  },
]
