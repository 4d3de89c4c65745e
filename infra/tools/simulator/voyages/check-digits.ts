/** The check digit of a container number (ISO 6346), from its first ten characters. */
export function containerCheckDigit(ownerAndSerial: string): number {
  let sum = 0;
  for (const [position, character] of [...ownerAndSerial].entries()) sum += containerValue(character) * 2 ** position;
  return (sum % 11) % 10;
}

/** The check digit of an IMO ship number, from its first six digits. */
export function imoCheckDigit(sixDigits: string): number {
  let sum = 0;
  for (const [position, digit] of [...sixDigits].entries()) sum += Number(digit) * (7 - position);
  return sum % 10;
}

function containerValue(character: string): number {
  if (/\d/.test(character)) return Number(character);
  const alphabetic = character.charCodeAt(0) - 65 + 10;
  // Letter values skip the multiples of 11.
  return alphabetic + Math.floor((alphabetic - 1) / 10);
}
