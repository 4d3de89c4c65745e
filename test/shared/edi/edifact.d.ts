declare module 'edifact/parser.js' {
  /** A parser of EDIFACT text, which it takes with `write`. */
  class Parser {
    encoding(level: string): void;
    on(event: 'opensegment' | 'element' | 'component', listener: (text: string) => void): void;
    write(text: string): void;
    end(): void;
  }
  export = Parser;
}
