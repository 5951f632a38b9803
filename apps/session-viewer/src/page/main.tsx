import { render } from "preact";
import { takeToken } from "./api.ts";
import { App } from "./app.tsx";
import { startKeys } from "./keys.ts";
import { route, startState } from "./state.ts";
import "./style/index.css";
import { applyTheme } from "./theme.ts";

takeToken();
// The address had the token in the place of a route.
if (location.hash === "#/") route.value = { name: "home" };
applyTheme();
startKeys();
const root = document.querySelector("#root");
if (root !== null) render(<App />, root);
void startState();
