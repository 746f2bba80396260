import { PLAIN, type Wrapper } from '../aspects/wrapper.ts'
import { each, type ProgramTable } from '../program.ts'

const PSSH: Wrapper = {
  options:
    'h|hosts= H|host= l|user= p|par= o|outdir= e|errdir= t|timeout= O|options= x|extra-args= i|inline v',
  joins: true,
  remote: true,
}

/** Programs that run a command on another machine, or in another place of this one. */
export const ELSEWHERE: ProgramTable = {
  ...each<Wrapper>((wraps) => ({ wraps }), {
    'lxc-attach': {
      options: 'n|name= u|uid= g|gid= v|set-var= e|elevated-privileges=? clear-env',
      remote: true,
    },
    adb: {
      options: 's= t= H= P= L= d e a',
      verbs: { shell: { options: 'e= n T t x', joins: true, remote: true } },
    },
    pdsh: { options: 'w= x= l= f= R= t= u= g=', joins: true, remote: true },
    'pssh parallel-ssh': PSSH,
    'flatpak-spawn': {
      options: 'env= directory= host clear-env watch-bus sandbox forward-fd=',
      folder: 'directory',
    },
    toolbox: { ...PLAIN, verbs: { run: { options: 'c|container= d|distro= r|release=' } } },
    distrobox: { ...PLAIN, verbs: { enter: { options: 'n|name= e', after: '-- -e' } } },
    'wsl.exe': { options: 'd|distribution= u|user= cd= e|exec shell-type=', folder: 'cd' },
  }),
  mosh: {
    wraps: {
      options: 'ssh= p|port= client= server= predict= 4 6',
      operands: 1,
      separated: true,
      remote: true,
    },
    files: { keys: /^-[ioFE]/ },
  },
}
