import { optionTable } from '../../arguments/options.ts'
import { PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { type Program, programs } from '../program.ts'

const PSSH: Wrapper = {
  options: optionTable(
    'h|hosts= H|host= l|user= p|par= o|outdir= e|errdir= t|timeout= O|options= x|extra-args= i|inline v',
  ),
  joins: true,
  remote: true,
}

/** Programs that run a command on another machine, or in another place of this one. */
export const ELSEWHERE: readonly Program[] = [
  ...programs<Wrapper>(
    {
      'lxc-attach': {
        options: optionTable('n|name= u|uid= g|gid= v|set-var= e|elevated-privileges=? clear-env'),
        remote: true,
      },
      adb: {
        options: optionTable('s= t= H= P= L= d e a'),
        verbs: { shell: { options: optionTable('e= n T t x'), joins: true, remote: true } },
      },
      pdsh: { options: optionTable('w= x= l= f= R= t= u= g='), joins: true, remote: true },
      'pssh parallel-ssh': PSSH,
      'flatpak-spawn': {
        options: optionTable('env= directory= host clear-env watch-bus sandbox forward-fd='),
        folder: 'directory',
      },
      toolbox: { ...PLAIN, verbs: { run: { options: optionTable('c|container= d|distro= r|release=') } } },
      distrobox: { ...PLAIN, verbs: { enter: { options: optionTable('n|name= e'), after: ['--', '-e'] } } },
      'wsl.exe': { options: optionTable('d|distribution= u|user= cd= e|exec shell-type='), folder: 'cd' },
    },
    (wraps) => ({ wraps }),
  ),
  {
    names: 'mosh',
    wraps: {
      options: optionTable('ssh= p|port= client= server= predict= 4 6'),
      operands: 1,
      separated: true,
      remote: true,
    },
    files: { keys: /^-[ioFE]/ },
  },
]
