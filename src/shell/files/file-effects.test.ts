import { describe, expect, it } from 'vitest'
import { spellEffect } from '../vocabulary/effect.ts'
import { readCommands } from '../walk/read-commands.ts'
import { fileEffects } from './file-effects.ts'

/** The effects on files called `f` or `.env`, each once: an argument may be read in more than one way. */
function effects(line: string): readonly string[] {
  const analysis = readCommands(line, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) return [analysis.why]
  const found = analysis.commands.flatMap((command) => fileEffects(command, '/home/dev'))
  const spelled = found.map(
    (effect) => `${spellEffect(effect, '/home/dev')}${effect.loaded === true ? ' loaded' : ''}`,
  )
  return [...new Set(spelled.filter((each) => /\/(f|\.env)( |$)/.test(each)))]
}

describe('fileEffects', () => {
  it.each([
    ['cat f', ['read /srv/project/f']],
    ['x > f', ['write /srv/project/f']],
    ['x 2> /tmp/f', ['write /tmp/f']],
    ['x < f', ['read /srv/project/f']],
    ['x > /dev/tcp/h/f', []],
    ['x > /dev/tcp/../../f', ['write /f']],
    ['rm f', ['delete /srv/project/f']],
    ['mv f g', ['delete /srv/project/f', 'read /srv/project/f ?']],
    ['mv g f', ['write /srv/project/f']],
    ['cp f g', ['read /srv/project/f']],
    ['tee f', ['write /srv/project/f']],
    ['ls f', ['metadata /srv/project/f']],
    ['grep -c x f', ['metadata /srv/project/f']],
    ['grep -qi x f', ['metadata /srv/project/f']],
    ['grep -ec f', ['read /srv/project/f']],
    ['rg -L x f', ['read /srv/project/f']],
    ['diff -s f g', ['read /srv/project/f']],
    ['diff -q f g', ['metadata /srv/project/f']],
    ['cut -d= -f1 f', ['metadata /srv/project/f']],
    ["awk -F= '{print $1}' f", ['metadata /srv/project/f']],
    ["sed 's/=.*//' f", ['metadata /srv/project/f']],
    ["sed 's/a/b/' f", ['read /srv/project/f']],
    ["sed -i 's/a/b/' f", ['write /srv/project/f']],
    ['openssl rsa -in f -noout', ['metadata /srv/project/f']],
    ['openssl rsa -in f -noout -text', ['read /srv/project/f']],
    ['openssl req -new -key f', []],
    ['ssh -i f host', []],
    ['tool --client-key f', []],
    ['tool --tls-cert=f', []],
    ['sort --key f', ['read /srv/project/f']],
    ['source f', ['read /srv/project/f ? loaded']],
    ['docker run --env-file f app', ['read /srv/project/f ? loaded']],
    ['npx dotenv -e f -- node a', ['read /srv/project/f ? loaded']],
    ['npx dotenv -- node a', ['read /srv/project/.env ? loaded']],
    ['dotenv list', ['read /srv/project/.env']],
    ['node -r dotenv/config f', ['read /srv/project/f', 'read /srv/project/.env ? loaded']],
    ['kubectl apply -f f', ['read /srv/project/f ? loaded']],
    ['tar -C /a -cz f', ['read /srv/project/f', 'read /a/f']],
    ["bash -c 'echo' x", []],
    [`php -r "include 'f'; show($x);"`, ['read /srv/project/f']],
    ['git show HEAD:f', ['read /srv/project/f']],
    ['git stash show -p -- f', ['read /srv/project/f']],
    ['echo f', []],
  ])('%s', (line, expected) => {
    expect(effects(line)).toEqual(expected)
  })
})
