/**
 * A JSON number that a double does not hold as it was sent, such as `9007199254740993`, `1e400` or `1.10`. A text field
 * stores its digits.
 */
export class SentNumber {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  toString(): string {
    return this.digits
  }

  toJSON(): string {
    return this.digits
  }
}
