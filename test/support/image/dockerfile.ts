import { Copy, DockerfileParser, type Instruction } from 'dockerfile-ast';

/** `words`: the arguments. `from`: the stage that COPY takes its files from; null is the context. */
export type Step = { keyword: string; text: string; words: string[]; from: string | null };

/** `name`: as other stages refer to it. */
export type Stage = { name: string; image: string; steps: Step[] };

/** The stages of a Dockerfile in order, each with the steps that follow its FROM. */
export function readStages(dockerfile: string): Stage[] {
  const stages: Stage[] = [];
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    const step = stepOf(instruction);
    if (step.keyword === 'FROM') {
      const [image = '', , name = String(stages.length)] = step.words;
      stages.push({ name, image, steps: [] });
    } else {
      stages.at(-1)?.steps.push(step);
    }
  }
  return stages;
}

/** The command of a step in its JSON form, e.g. of CMD or HEALTHCHECK. */
export function commandOf({ text }: Step): string[] {
  return JSON.parse(text.slice(text.indexOf('['))) as string[];
}

function stepOf(instruction: Instruction): Step {
  const text = instruction.getArgumentsContent() ?? '';
  return {
    keyword: instruction.getKeyword(),
    text,
    words: instruction.getArguments().map((argument) => argument.getValue()),
    from: instruction instanceof Copy ? (instruction.getFromFlag()?.getValue() ?? null) : null,
  };
}
