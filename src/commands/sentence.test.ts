import { expect, it } from 'vitest'
import { firstSentence } from './sentence.ts'

it.each([
  ['Force push: this overwrites main. It can delete commits.', 'Force push: this overwrites main'],
  ['One sentence', 'One sentence'],
  ['Ends here.', 'Ends here'],
  ['This runs `cd . && rm -rf ./x` in /srv. Why.', 'This runs `cd . && rm -rf ./x` in /srv'],
  ['Deletes files, e.g. sources, in a folder. More.', 'Deletes files, e.g. sources, in a folder'],
  ['Two\n lines. Next.', 'Two lines'],
  ['A code that is not closed `x. Y. Z', 'A code that is not closed `x. Y. Z'],
  [
    'It failed (crash: no x. Did you mean y?), so it asks. More.',
    'It failed (crash: no x. Did you mean y?), so it asks',
  ],
  ['Step 1) is done. Then step 2.', 'Step 1) is done'],
  ['', ''],
])('%j begins with %j', (text, sentence) => {
  expect(firstSentence(text)).toBe(sentence)
})
