/** An address, or what package tools read as one. */
const URL = String.raw`(?:git\+|hg\+|svn\+)?(?:https?|ssh|git|ftp):\/\/\S+`
const SHORT = String.raw`(?:github|gitlab|bitbucket|gist):\S+`
export const ADDRESS = new RegExp(String.raw`(?:^|[\s=@])(?:${URL}|${SHORT}|git@\S+)`, 'i')

/** An address behind one of these words. */
export function after(words: string, more = ''): RegExp {
  return new RegExp(String.raw`\b(?:${words})\b${more}.*?[\s=@](?:${URL}|${SHORT}|git@\S+)`, 'i')
}
