// One column for each session. Nothing of what a CLI says becomes HTML.
const query = location.search;

document.querySelector("#start").addEventListener("click", async () => {
  const response = await fetch(`sessions${query}`, { method: "POST" });
  if (!response.ok) alert(await response.text());
  else openSession((await response.json()).id);
});

function openSession(id) {
  const view = document.querySelector("template").content.cloneNode(true).firstElementChild;
  const log = view.querySelector("[role=log]");
  document.querySelector("main").append(view);

  const say = (text) => {
    const line = document.createElement("p");
    line.textContent = text;
    log.append(line);
    return line;
  };
  const send = async (frame) => {
    const response = await fetch(`sessions/${id}/frames${query}`, { method: "POST", body: JSON.stringify(frame) });
    if (!response.ok) say(await response.text());
  };

  const ask = ({ request_id, request }) => {
    const question = say(`May I use ${request.tool_name}? ${JSON.stringify(request.input)} `);
    for (const behavior of ["allow", "deny"]) {
      const button = document.createElement("button");
      button.textContent = behavior;
      button.addEventListener("click", () => {
        for (const other of question.querySelectorAll("button")) other.disabled = true;
        const answer = behavior === "allow" ? { updatedInput: request.input } : { message: "The user said no." };
        void send({
          type: "control_response",
          response: { subtype: "success", request_id, response: { behavior, ...answer } },
        });
      });
      question.append(button);
    }
  };

  const frames = new EventSource(`sessions/${id}/frames${query}&types=assistant,result,control_request`);
  frames.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(data);
    if (frame.type === "assistant") {
      for (const block of frame.message.content) {
        if (block.type === "text") say(`Claude: ${block.text}`);
        if (block.type === "tool_use") say(`uses ${block.name}`);
      }
    }
    if (frame.type === "result") say(`${frame.subtype}, $${frame.total_cost_usd.toFixed(4)} so far`);
    if (frame.type === "control_request" && frame.request.subtype === "can_use_tool") ask(frame);
  });
  frames.addEventListener("malformed", ({ data }) => say(data));
  frames.addEventListener("end", ({ data }) => {
    frames.close();
    say(`ended: ${data}`);
  });

  const form = view.querySelector("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(`You: ${form.elements.prompt.value}`);
    void send({ type: "user", message: { role: "user", content: form.elements.prompt.value } });
    form.reset();
  });
  form.elements.stop.addEventListener("click", () =>
    send({ type: "control_request", request_id: crypto.randomUUID(), request: { subtype: "interrupt" } }),
  );
  form.elements.end.addEventListener("click", () => fetch(`sessions/${id}${query}`, { method: "DELETE" }));
}
