import { describe, expect, it } from 'vitest'
import { programOf } from '../programs/index.ts'
import { spellEffect } from '../vocabulary/effect.ts'
import { readCommands } from '../walk/read-commands.ts'

function transfers(line: string): readonly string[] {
  const analysis = readCommands(line, { cwd: '/srv/project', home: '/home/dev' })
  if (!analysis.judged) return [analysis.why]
  return analysis.commands
    .flatMap((command) => programOf(command.name)?.sends?.(command) ?? [])
    .map((effect) => spellEffect(effect, '/home/dev'))
}

describe('what programs send', () => {
  it.each([
    ['rsync -a src/ example.com:/srv', ['net out example.com /srv/project/src recursive']],
    [
      'rsync -az --exclude=x -e "ssh -p 22" a b dev@example.com:',
      ['a', 'b'].map((name) => `net out example.com /srv/project/${name} recursive`),
    ],
    ['rsync example.com:a.sh .', ['net in example.com /srv/project/a.sh']],
    ['rsync -an src/ example.com:/srv', []],
    ['rsync -a src/ backup/', []],
    ['aws s3 cp a s3://bucket/x', ['net out s3://bucket/x /srv/project/a']],
    ['aws --profile p s3 sync dist s3://bucket', ['net out s3://bucket /srv/project/dist recursive']],
    ['aws s3 cp s3://bucket/x a', []],
    ['aws s3 cp - s3://bucket/x', ['net out s3://bucket/x -']],
    ['gsutil cp a gs://bucket', ['net out gs://bucket /srv/project/a']],
    ['gcloud storage cp a gs://bucket', ['net out gs://bucket /srv/project/a']],
    ['rclone copy a remote:b', ['net out remote:b /srv/project/a recursive']],
    ['rclone ls remote:b', []],
    ['gh gist create a', ['net out github.com /srv/project/a', 'net out github.com -']],
    ['gh release upload v1 a', ['net out github.com /srv/project/a', 'net out github.com -']],
    ['gh pr list', []],
    ['mail -s x -a a dev@example.com', ['net out mail -', 'net out mail /srv/project/a']],
    ['tar -cf example.com:/x a', ['net out example.com /srv/project/a recursive']],
    ['tar czf x.tgz a', []],
    ['ls a', []],
  ])('%s', (line, expected) => {
    expect(transfers(line)).toEqual(expected)
  })
})
