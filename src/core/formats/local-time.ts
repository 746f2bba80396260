/** A time as people read it: the local time, to the second. */
export function localTime(time: string | number): string {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return String(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}
