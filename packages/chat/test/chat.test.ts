import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startLeakCheck } from "@reins/testkit";
import { expect, test, vi } from "vitest";
import { startChat } from "./start-chat.ts";

// The CLI starts slowly where many do.
vi.setConfig({ testTimeout: 120_000 });

test("streams text, runs tools that were allowed, and shows time, context and cost", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startChat({ columns: 80, rows: 24 });

  await terminal.enter("run touch one.txt");
  await terminal.see(/\? Allow Bash\?\n {2}touch one\.txt\n❯ y Yes, this once/);
  await terminal.press("y");
  expect(await terminal.see(/✓ Bash touch one\.txt \d+\.\ds\n\nDone\. It said:/)).toContain(
    "\n> run touch one.txt\n\nI will run that.\n\n✓ Bash",
  );
  await terminal.see(/context █░+ \d+% · \$0\.0\d\d\d/);

  await terminal.enter("run touch two.txt");
  await terminal.see(/\? Allow Bash\?\n {2}touch two\.txt\n❯/);
  await terminal.press("n");
  await terminal.see(/✗ Bash touch two\.txt denied \d+\.\ds\n\nIt was not done: The action was not approved\./);

  await terminal.enter("run touch three.txt");
  await terminal.see(/\? Allow Bash\?\n {2}touch three\.txt\n❯/);
  await terminal.press("e");
  await terminal.see(/\? The command to run\n> touch three\.txt\n/);
  await terminal.press("C-w");
  await terminal.enter("edited.txt");
  await terminal.see(/✓ Bash touch edited\.txt/);

  await terminal.enter("run touch four.txt");
  await terminal.see(/\? Allow Bash\?\n {2}touch four\.txt\n❯/);
  await terminal.press("i");
  await terminal.enter("Use another name.");
  await terminal.see("It was not done: Use another name.");

  for (const count of ["1", "2"]) {
    await terminal.enter("run touch always.txt");
    if (count === "1") {
      await terminal.see(/\? Allow Bash\?\n {2}touch always\.txt\n❯/);
      await terminal.press("Down", "Enter");
    }
    await terminal.see(new RegExp(`(✓ Bash touch always\\.txt[^✗?]*){${count}}Done`));
  }

  // What was really done.
  await terminal.enter("run ls");
  await terminal.see(/✓ Bash ls \d+\.\ds\n {2}always\.txt\n {2}edited\.txt\n {2}one\.txt\n\n/);

  await terminal.enter("/cost");
  await terminal.see(/model +│ +in │ cached │ out │ +cost\n.*\n.*│ +\d+ │ +\d+ │ +\d+ │ \$0\.\d+/);
  await terminal.see(/Together \$0\.\d+, as the CLI estimates it\./);
});

test("asks questions with choices, of which several may be chosen, or something else; and attaches images whose paths are pasted", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startChat({ columns: 80, rows: 24 });
  await terminal.enter("question");
  await terminal.see(/\? 1\/2 Colour: Which colour should it have\?\n❯ 1 Blue\n {4}Like the sea\n {2}2 Green/);
  await terminal.press("Down", "Enter");
  await terminal.see(/\? 2\/2 Sizes: Which sizes are needed\?\n❯ 1 \[ \] Small/);
  await terminal.press("2", "3");
  await terminal.see(/ {2}2 \[x\] Large\n.*\n❯ 3 \[ \] Something else\n {2}>/);
  await terminal.enter("Huge");
  await terminal.see(/"Which colour should it have\?"="Green", "Which sizes are n\n {2}eeded\?"="Large, Huge"/);
  await terminal.enter("question");
  await terminal.see(/\? 1\/2 Colour[^$]*❯ 1 Blue/);
  await terminal.press("Escape");
  await terminal.see("It was not done: The user did not answer.");

  const path = join(terminal.folder, "an apple.png");
  await writeFile(path, Buffer.from(pixel, "base64"));
  await terminal.paste(`'${path}'\nwhat is this?`);
  await terminal.see(/> '.*an apple\.png'\n {2}what is this\?\n/);
  await terminal.press("Enter");
  await terminal.see(/ {2}\+ image .*an apple\.png \(68 bytes\)[^$]*I got an image\./);
});

test("begins, resumes and forks sessions, and changes model and mode", async () => {
  await using _leaks = startLeakCheck();
  await using terminal = await startChat({ columns: 80, rows: 30 });
  await terminal.enter("/fork");
  await terminal.see("There is nothing to fork yet.");
  await terminal.enter("first apple");
  await terminal.see("Answer 1: you said first apple.");
  await terminal.enter("/new");
  await terminal.see("A new session.");
  await terminal.enter("second pear");
  await terminal.see("Answer 1: you said second pear.");
  await terminal.enter("/new");
  await terminal.see(/A new session\.[^$]*A new session\./);

  await terminal.enter("/resume");
  await terminal.see(/\? Which session\?\n❯ second pear\n.*\n {2}first apple\n/);
  await terminal.type("apple");
  await terminal.see(/Filter: apple\n❯ first apple\n/);
  await terminal.press("Enter");
  await terminal.see(/> first apple\n\nAnswer 1: you said first apple\.[^$]*Resumed [0-9a-f-]{36}\./);
  await terminal.enter("again");
  await terminal.see("Answer 2: you said again.");
  await terminal.enter("/fork");
  await terminal.see(/Forked: [0-9a-f-]{36} stays as it is\./);
  await terminal.enter("in the copy");
  await terminal.see("Answer 3: you said in the copy.");

  await terminal.enter("/model");
  await terminal.see(/\? Which model\?\n/);
  await terminal.press("Up");
  const pane = await terminal.see(/\n❯ 5 Haiku/);
  expect(pane).toContain("  4 Sonnet");
  await terminal.press("Enter");
  await terminal.see(/Model: haiku\.\n\n>\s*\n\nhaiku · /);
  await terminal.enter("/mode plan");
  await terminal.see(/Mode: plan\.[^$]*mode plan/);
  await terminal.enter("plan");
  await terminal.see(/\? Approve the plan\?\n {2}A plan\n\s*\n {2}1\. Look around\.\n {2}2\. Change one thing\./);
  await terminal.press("n");
  await terminal.see(/✗ ExitPlanMode .* denied/);
  await terminal.press("BTab");
  await terminal.see("mode dontAsk");
  await terminal.enter("/mode nonsense");
  await terminal.see(/✗ Cannot set permission mode: must be one of/);
  await terminal.enter("/nothing");
  await terminal.see("There is no /nothing.");
  await terminal.enter("/help");
  await terminal.see(/\/resume \[id\] +│ go on with a session of this folder/);
  await terminal.enter("/exit");
  await terminal.assertRestored();
});

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII=";
