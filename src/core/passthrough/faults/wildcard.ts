/** Whether `text` is what `pattern` describes: `*` stands for any characters, `?` for one. Never backtracks further than one star. */
export function fits(pattern: string, text: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let starAt = 0;
  while (at < text.length) {
    const wanted = pattern[place];
    if (wanted === '*') {
      star = place;
      starAt = at;
      place += 1;
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      place += 1;
      at += 1;
    } else if (star !== -1) {
      starAt += 1;
      at = starAt;
      place = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[place] === '*') {
    place += 1;
  }
  return place === pattern.length;
}
