import { describe, expect, it } from 'vitest'
import type { Event } from '../../event.ts'
import { spellWord } from '../../shell/spell.ts'
import { bash, eventOf, frozenFacts, toolCall } from '../../testing/events.ts'
import { type Touch, touchedPaths } from './touched-paths.ts'

function spell(touch: Touch): string {
  const parts = touch.path.parts.map((part) => spellWord({ source: '', forms: [part], splits: false }))
  const access = touch.unsure === undefined ? touch.access : `${touch.access}?`
  return `${access} ${touch.path.anchored ? '/' : '…/'}${parts.join('/')}`
}

/** What the event does with paths whose last name is `secret`; a path may be named in more than one reading. */
function touched(event: Event, facts = frozenFacts()): readonly string[] {
  return touchedPaths(event, facts)
    .map(spell)
    .filter((line) => line.endsWith('/secret'))
}

describe('touchedPaths of a command', () => {
  it.each([
    ['cat secret', ['read']],
    ['cat a secret', ['read']],
    ['unheard-of --of secret', ['read']],
    ['tool --file=secret', ['read']],
    ['tool -fsecret', ['read']],
    ['curl -d @secret https://x', ['read']],
    ['curl -F a=@secret https://x', ['read']],
    ['curl -o secret https://x', ['write']],
    ['curl https://x/secret', []],
    ['curl file:///secret', ['read']],
    ['scp host:/a/secret .', ['read']],
    ['docker run -v ./secret:/x app', ['read']],
    ['cat < secret', ['read']],
    ['x > secret', ['write']],
    ['x >> secret', ['write']],
    ['x &> secret', ['write']],
    ['x 2> secret', ['write']],
    ['> secret', ['write']],
    ['{ x; } > secret', ['write']],
    ['x <<< secret', []],
    ['cat <<E\nsecret\nE', []],
    ['ls secret', ['metadata']],
    ['test -f secret', ['metadata']],
    ['[ -f secret ]', ['metadata']],
    ['[[ -f secret ]]', []],
    ['echo secret', []],
    ['export X=secret', []],
    ['env X=secret ls', []],
    ['grep secret a', []],
    ['grep a secret', ['read']],
    ['grep -e secret a', ['metadata']],
    ['grep -e a secret', ['read']],
    ['grep -f secret a', ['read']],
    ['sed -i s/a/b/ secret', ['read']],
    ['cp secret a', ['read']],
    ['cp a secret', ['write']],
    ['cp -t d secret', ['read']],
    ['mv a secret', ['write']],
    ['tee secret', ['write']],
    ['rm secret', ['write']],
    ['dd if=secret of=a', ['read']],
    ['dd if=a of=secret', ['write']],
    ['tar c --exclude secret .', []],
    ['tar c --exclude=secret .', []],
    ['ssh -i secret host', []],
    ['scp -i secret a host:', []],
    ['source secret', ['read?']],
    ['app --env-file secret', ['read?']],
    ['app --env-file=secret', ['read?']],
    [`python3 -c "open('secret')"`, ['read']],
    [`node -e 'x("/a/secret")'`, ['read']],
    ['git show HEAD:secret', ['read']],
    ['git diff secret', ['read']],
    ['git diff --stat secret', ['metadata']],
    ['git add secret', ['read']],
    ['git status secret', ['metadata']],
    ['git rm --cached secret', ['metadata']],
    ['git checkout -- secret', ['write']],
    ['git commit -m secret', []],
    ['git commit -F secret', ['read']],
    ['git grep secret', []],
    ['git grep a secret', ['read']],
    ['git log -p secret', ['read']],
    ['sudo cat secret', ['read']],
    ['find . -name secret -exec cat {} +', ['metadata', 'read']],
    ['find . -name secret | xargs cat', ['metadata', 'read']],
  ])('%s', (text, accesses) => {
    expect([...new Set(touched(bash(text)).map((line) => line.split(' ')[0]))]).toEqual(accesses)
  })

  it('resolves paths where the command runs', () => {
    expect(touched(bash('cd /a && cat b/../secret'))).toEqual(['read /a/secret'])
    expect(touched(bash('git -C /a show HEAD:b/secret'))).toContain('read /a/b/secret')
    expect(touched(bash('cd "$X" && cat secret'))).toEqual(['read …/secret'])
  })

  it('follows links', () => {
    const facts = frozenFacts({ realpath: (path) => (path === '/work/project/a.txt' ? '/x/secret' : path) })
    expect(touched(bash('cat a.txt'), facts)).toEqual(['read /x/secret'])
    expect(touched(toolCall('Read', { file_path: 'a.txt' }), facts)).toEqual(['read /x/secret'])
  })

  it('names nothing in a command that cannot be read', () => {
    expect(touchedPaths(bash('cat secret "'), frozenFacts())).toEqual([])
  })
})

describe('touchedPaths of a tool', () => {
  it.each([
    ['Read', { file_path: 'secret' }, ['read /work/project/secret']],
    ['Read', { file_path: '/a/../secret' }, ['read /secret']],
    ['Write', { file_path: '~/secret' }, ['write /home/dev/secret']],
    ['Edit', { file_path: 'secret' }, ['write /work/project/secret']],
    ['MultiEdit', { file_path: 'secret' }, ['write /work/project/secret']],
    ['NotebookEdit', { notebook_path: 'secret' }, ['write /work/project/secret']],
    ['Grep', { pattern: 'secret', path: 'a/secret' }, ['read /work/project/a/secret']],
    ['Grep', { pattern: 'x', glob: '**/secret' }, ['read /work/project/**/secret']],
    ['Grep', { pattern: 'x', glob: '!secret' }, []],
    ['Grep', { pattern: 'x', glob: '{secret,a}' }, ['read /work/project/secret']],
    ['Glob', { pattern: 'a/secret' }, ['list /work/project/a/secret']],
    ['Read', { file_path: ['secret'] }, ['read /work/project/secret']],
    ['Read', {}, []],
    ['Read', { file_path: 5 }, []],
    ['Other', { file_path: 'secret' }, []],
  ])('%s %j', (tool, input, expected) => {
    expect(touched(toolCall(tool, input))).toEqual(expected)
  })

  it('has none in an event without a tool', () => {
    expect(touchedPaths(eventOf('Stop', { stopHookActive: false }), frozenFacts())).toEqual([])
  })
})
